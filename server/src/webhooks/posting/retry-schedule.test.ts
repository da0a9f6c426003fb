import { limits } from '@postrider/contract';
import { describe, expect, test } from 'vitest';
import { createTimeScale } from '../../lib/clock.ts';
import { type FailedAttempt, nextAttemptAt } from './record-attempt.ts';

const endedAt = new Date('2026-11-20T09:30:00.000Z');
const hour = 3_600_000;

const waitAfter = (change: Partial<FailedAttempt>): number | null => {
  const failed = { attempted: 1, endedAt, retryAfter: null, timeScale: createTimeScale(1), random: 0.5 };
  const at = nextAttemptAt({ ...failed, ...change });
  return at && at.getTime() - endedAt.getTime();
};

describe('the schedule of retries', () => {
  test('has 8 attempts over more than 24 hours, each wait longer than the one before', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempted) => waitAfter({ attempted }));
    expect(waits).toEqual([5_000, 30_000, 120_000, 900_000, hour, 6 * hour, 24 * hour]);
    expect(waitAfter({ attempted: 8 })).toBeNull();
  });

  test.each([1, 2, 3, 4, 5, 6, 7])('strays by at most a tenth after attempt %i', (attempted) => {
    const delay = limits.webhookRetryDelaysMs[attempted] ?? 0;
    expect(waitAfter({ attempted, random: 0 })).toBe(Math.round(delay * 0.9));
    expect(waitAfter({ attempted, random: 1 })).toBe(Math.round(delay * 1.1));
  });

  test('runs faster under a time scale', () => {
    expect(waitAfter({ attempted: 3, timeScale: createTimeScale(1_000) })).toBe(120);
  });

  test.each([
    ['60', 60_000],
    [' 60 ', 60_000],
    ['3', 5_000],
    ['0', 5_000],
    ['9999999999', 24 * hour],
    ['99999999999999', 5_000],
    ['Fri, 20 Nov 2026 09:31:00 GMT', 60_000],
    ['Fri, 20 Nov 2020 09:31:00 GMT', 5_000],
    ['-5', 5_000],
    ['1.5', 5_000],
    ['soon', 5_000],
    ['', 5_000],
  ])('waits as long as Retry-After asks, up to a day, and never shorter: %j', (retryAfter, expected) => {
    expect(waitAfter({ retryAfter })).toBe(expected);
  });
});
