import { expect, test } from 'vitest';
import { invitationText } from './invitation-text.ts';

const calendar = (method: string, ...event: string[]) =>
  Buffer.from(
    [
      'BEGIN:VCALENDAR',
      `METHOD:${method}`,
      'BEGIN:VTIMEZONE',
      'TZID:Europe/Berlin',
      'BEGIN:STANDARD',
      'DTSTART:19701025T030000',
      'END:STANDARD',
      'END:VTIMEZONE',
      'BEGIN:VEVENT',
      ...event,
      'END:VEVENT',
      'BEGIN:VEVENT',
      'SUMMARY:Another one',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  );

test('an invitation says what, when, where and from whom', () => {
  const event = [
    'UID:1',
    'DTSTART;TZID=Europe/Berlin:20261201T100000',
    'DTEND;TZID=Europe/Berlin:20261201T110000',
    'SUMMARY;LANGUAGE=de:Planung\\, zweiter',
    '  Teil',
    'LOCATION:Raum 4\\; Haus 2',
    'ORGANIZER;CN="Ada; Lovelace":mailto:ada@x.example',
    'ATTENDEE:mailto:agent@inbox.example',
    'DESCRIPTION:Bitte mitbringen:\\nKaffee',
    'BEGIN:VALARM',
    'DESCRIPTION:Reminder',
    'SUMMARY:Alarm',
    'END:VALARM',
  ];
  expect(invitationText(calendar('REQUEST', ...event))).toBe(
    [
      'Invitation: Planung, zweiter Teil',
      'When: 2026-12-01 10:00 to 11:00 (Europe/Berlin)',
      'Where: Raum 4; Haus 2',
      'Organizer: Ada; Lovelace <ada@x.example>',
      '',
      'Bitte mitbringen:\nKaffee',
    ].join('\n'),
  );
});

test.each([
  [['DTSTART:20261201T100000Z', 'DTEND:20261202T110000Z'], '2026-12-01 10:00 to 2026-12-02 11:00 (UTC)'],
  [['DTSTART;VALUE=DATE:20261201', 'DTEND;VALUE=DATE:20261203'], '2026-12-01 to 2026-12-03'],
  [['DTSTART;VALUE=DATE:20261201'], '2026-12-01'],
  [['DTSTART:20261201T100000', 'DURATION:PT1H30M'], '2026-12-01 10:00, for PT1H30M'],
])('its time is written down as it is: %s', (times, written) => {
  expect(invitationText(calendar('CANCEL', 'SUMMARY:x', ...times))).toBe(`Cancelled: x\nWhen: ${written}`);
});

test('what is no invitation has no text, and an empty one says so', () => {
  expect(invitationText(Buffer.from('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n'))).toBeNull();
  expect(invitationText(Buffer.from('nonsense \0 \xff'))).toBeNull();
  expect(invitationText(calendar('REQUEST'))).toBe('Invitation: (no title)');
  expect(invitationText(Buffer.from('BEGIN:VEVENT\nSUMMARY:cut'))).toBe('Event: cut');
});
