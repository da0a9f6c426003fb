import { expect, it } from 'vitest';
import { fromLocalInput, toLocalInput, tomorrowMorning } from './local-time.ts';

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
