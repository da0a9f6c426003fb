import { expect, it } from 'vitest';
import { localInputTime, tomorrowMorning, utcOfLocalInput } from './local-time.ts';

it('leads from UTC to the field and back, to the minute', () => {
  const time = '2026-03-29T01:30:00.000Z';
  expect(utcOfLocalInput(localInputTime(new Date(time)))).toBe(time);
});

it('has no time for a field that is empty or incomplete', () => {
  expect(utcOfLocalInput('')).toBeNull();
  expect(utcOfLocalInput('soon')).toBeNull();
});

it('finds tomorrow at the end of a year', () => {
  expect(localInputTime(tomorrowMorning(new Date(2026, 11, 31, 23, 59)))).toBe('2027-01-01T09:00');
});
