import { expect, it } from 'vitest';
import { fullTime, relativeTime } from './times.ts';

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
