import { expect, it } from 'vitest';
import {
  exactTime,
  fromLocalInput,
  fullTime,
  readChoices,
  relativeTime,
  toLocalInput,
  tomorrowMorning,
  withLocalTimes,
} from './times.ts';

const now = Date.parse('2026-11-20T12:00:00.000Z');
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();
const expected = (value: number, unit: Intl.RelativeTimeFormatUnit) =>
  new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' }).format(value, unit);

it.each([
  [0, 0, 'second'],
  [-59, 0, 'second'],
  [-60, -1, 'minute'],
  [-3_599, -59, 'minute'],
  [-3_600, -1, 'hour'],
  [-86_399, -23, 'hour'],
  [-86_400, -1, 'day'],
  [-40 * 86_400, -1, 'month'],
  [-800 * 86_400, -2, 'year'],
  [7_200, 2, 'hour'],
] as const)('tells %d seconds from now in the largest unit that fits', (seconds, value, unit) => {
  expect(relativeTime(at(seconds), now)).toBe(expected(value, unit));
});

it('tells the exact time with its zone', () => {
  const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' })
    .formatToParts(now)
    .find(({ type }) => type === 'timeZoneName')?.value;
  expect(fullTime(at(0))).toContain(zone);
  expect(fullTime(at(0))).toContain('2026');
});

it('puts the times in a text of the server into the zone of the reader', () => {
  const iso = '2026-11-20T09:30:00.000Z';
  expect(withLocalTimes(`It is behind ${iso}, it was set back.`)).toBe(
    `It is behind ${exactTime(iso)}, it was set back.`,
  );
  expect(withLocalTimes('postgres 18.6, in 2026-11-20')).toBe('postgres 18.6, in 2026-11-20');
});

it('brings a time to the field and back', () => {
  const iso = new Date(2026, 10, 20, 9, 30).toISOString();
  expect(toLocalInput(iso)).toBe('2026-11-20T09:30');
  expect(fromLocalInput('2026-11-20T09:30')).toBe(iso);
});

it.each(['', 'yesterday', '2026-13-40T00:00'])('is empty for %j', (text) => {
  expect(toLocalInput(text)).toBe('');
  expect(fromLocalInput(text)).toBe('');
});

it('finds tomorrow at the end of a year', () => {
  expect(toLocalInput(tomorrowMorning(new Date(2026, 11, 31, 23, 59)))).toBe('2027-01-01T09:00');
});

it('choices are read as they were kept', () => {
  expect(readChoices('{"style":"date","clock":"h23"}')).toEqual({ style: 'date', clock: 'h23' });
});

it.each([null, '', 'null', '[]', '{"style":"never","clock":7}', '{"style":'])(
  'what is no choice is the default: %s',
  (stored) => expect(readChoices(stored)).toEqual({ style: 'ago', clock: 'language' }),
);
