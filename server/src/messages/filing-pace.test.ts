import { expect, test } from 'vitest';
import { type FilingRound, restMsAfter } from './filing-pace.ts';

/** Filing 64 mails took 50 ms of 150, in which 100 others came: filing them takes more than half of the time. */
const overload: FilingRound = {
  filed: 64,
  busyMs: 50,
  arrived: 100,
  elapsedMs: 150,
  waiting: 1_000,
  room: 29_000,
  oldestMs: 700,
};
const restAfter = (changes: Partial<FilingRound>) => restMsAfter({ ...overload, ...changes });

test('filing rests for four times as long as it worked, half a second at most, while mail comes faster than it is filed meanwhile', () => {
  expect(restMsAfter(overload)).toBe(200);
  expect(restAfter({ busyMs: 150, elapsedMs: 150 })).toBe(500);
});

test('filing that keeps up rests too, until a mail has waited for a second', () => {
  for (const calm of [{ arrived: 95 }, { waiting: 100 }]) {
    expect(restAfter(calm)).toBe(200);
    expect(restAfter({ ...calm, oldestMs: 1_001 })).toBe(0);
  }
});

test('filing does not rest when nothing comes, or when the oldest mail has waited for too long', () => {
  expect(restAfter({ arrived: 0 })).toBe(0);
  expect(restAfter({ oldestMs: 9_999 })).toBe(200);
  expect(restAfter({ oldestMs: 10_001 })).toBe(0);
});

test('filing does not rest when senders are about to wait for it: nobody would be served meanwhile', () => {
  const crowded = { waiting: 27_000, oldestMs: 8_000 };
  expect(restAfter({ ...crowded, room: 3_000 })).toBe(200);
  expect(restAfter({ ...crowded, room: 2_999 })).toBe(0);
});
