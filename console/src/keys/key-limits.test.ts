import { expect, test } from 'vitest';
import { inDays, judgeExpiry } from './key-limits.ts';

const now = Date.parse('2026-11-20T09:30:00.000Z');

test('a key expires soon in its last week, and is over from its time on', () => {
  const expiry = (expires_at: string | null) => judgeExpiry({ expires_at }, now);
  expect(expiry(null)).toBe('later');
  expect(expiry('2026-11-27T09:30:00.001Z')).toBe('later');
  expect(expiry('2026-11-27T09:30:00.000Z')).toBe('soon');
  expect(expiry('2026-11-20T09:30:00.001Z')).toBe('soon');
  expect(expiry('2026-11-20T09:30:00.000Z')).toBe('over');
});

test('days are 24 hours each', () => {
  expect(inDays(30, now)).toBe('2026-12-20T09:30:00.000Z');
});
