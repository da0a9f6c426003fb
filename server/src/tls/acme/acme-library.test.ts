import { describe, expect, test } from 'vitest';
import { readRetryAfter } from './acme-library.ts';

describe('the time after which an ACME server wants to be asked again', () => {
  test.each([
    ['120', 120_000],
    ['0', 0],
    ['', 0],
    ['soon', 0],
    ['-5', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])('%j is %s ms', (value, ms) => {
    expect(readRetryAfter(value)).toBe(ms);
  });

  test('may be a date', () => {
    const at = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000);
    const ms = readRetryAfter(at.toUTCString());
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThanOrEqual(3_601_000);
  });
});
