import { expect, test } from 'vitest';
import { type FilingRound, restMsAfter } from './filing-pace.ts';

/** Filing 64 mails took 50 ms of 150, in which 200 others came. */
const overload: FilingRound = {
  filed: 64,
  busyMs: 50,
  arrived: 200,
  elapsedMs: 150,
  waiting: 1_000,
  oldestMs: 700,
};
const restAfter = (changes: Partial<FilingRound>) => restMsAfter({ ...overload, ...changes });

test('filing rests for twice its time while mail comes faster than it is filed', () => {
  expect(restMsAfter(overload)).toBe(100);
  expect(restAfter({ busyMs: 150, elapsedMs: 150 })).toBe(250);
});

test('filing rests as long as it worked when it keeps up, or when little waits', () => {
  expect(restAfter({ arrived: 190 })).toBe(50);
  expect(restAfter({ waiting: 100 })).toBe(50);
});

test('filing does not rest when nothing comes, or when the oldest mail has waited for too long', () => {
  expect(restAfter({ arrived: 0 })).toBe(0);
  expect(restAfter({ oldestMs: 9_999 })).toBe(100);
  expect(restAfter({ oldestMs: 10_001 })).toBe(0);
  expect(restAfter({ waiting: 100, oldestMs: 1_001 })).toBe(0);
});
