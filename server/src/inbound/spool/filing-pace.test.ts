import { expect, test } from 'vitest';
import { FilingPace, restMsAfter } from './filing-pace.ts';

test('filing rests for four times as long as it worked, half a second at most, until a mail has waited for a second', () => {
  expect(restMsAfter({ busyMs: 50, oldestMs: 1_000 })).toBe(200);
  expect(restMsAfter({ busyMs: 150, oldestMs: 0 })).toBe(500);
  expect(restMsAfter({ busyMs: 50, oldestMs: 1_001 })).toBe(0);
});

test('filing rests only while mail comes, and resumes soon after the last mail', async () => {
  const pace = new FilingPace();
  const round = { busyMs: 1_000, oldestMs: 0 };
  pace.endRound(round, () => {
    throw new Error('Filing had not rested.');
  });
  expect([pace.quiet, pace.resting]).toEqual([true, false]);

  pace.noteArrival();
  const { promise, resolve } = Promise.withResolvers<void>();
  pace.endRound(round, resolve);
  expect([pace.quiet, pace.resting]).toEqual([false, true]);
  await promise;
  expect([pace.quiet, pace.resting]).toEqual([true, false]);
});
