import { expect, test } from 'vitest';
import { parseRetryAfter } from './post-texts.ts';

const now = new Date('2026-03-01T09:00:00Z');

test('Retry-After is a number of seconds or a date, and anything else is ignored', () => {
  expect(parseRetryAfter('120', now)).toBe(120_000);
  expect(parseRetryAfter(' 1.5 ', now)).toBe(1_500);
  expect(parseRetryAfter('Sun, 01 Mar 2026 09:00:30 GMT', now)).toBe(30_000);
  expect(parseRetryAfter('Sun, 01 Mar 2026 08:00:00 GMT', now)).toBe(0);
  for (const value of [undefined, '', 'soon', '-5x', '1e9x']) expect(parseRetryAfter(value, now)).toBeNull();
});
