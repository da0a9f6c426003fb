import { expect, test, vi } from 'vitest';
import { createGroupedCall } from './group-calls.ts';

const upTo = (most: number) => (items: unknown[]) => Math.min(most, items.length);

/** A grouped call that keeps what it was called with, and goes on when told. */
const startGroup = (most = 10, callsMax = 1) => {
  const calls: number[][] = [];
  const pending: (() => void)[] = [];
  const call = async (items: number[]) => {
    calls.push(items);
    await new Promise<void>((resolve) => pending.push(resolve));
    if (items.includes(13)) throw new Error('unlucky');
    return items.map((item) => item * 2);
  };
  const ask = createGroupedCall(call, { countOf: upTo(most), callsMax });
  const goOn = async () => {
    pending.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { calls, ask, goOn };
};

test('a lone item is asked about at once, and those that come meanwhile go together', async () => {
  const { calls, ask, goOn } = startGroup();
  const answers = Promise.all([1, 2, 3].map(ask));
  expect(calls).toEqual([[1]]);
  await goOn();
  expect(calls).toEqual([[1], [2, 3]]);
  await goOn();
  expect(await answers).toEqual([2, 4, 6]);
  void ask(4);
  expect(calls).toEqual([[1], [2, 3], [4]]);
});

test('no call is larger than it may be, and the order is kept', async () => {
  const { calls, ask, goOn } = startGroup(2);
  const answers = Promise.all([1, 2, 3, 4, 5].map(ask));
  for (let call = 0; call < 3; call++) await goOn();
  expect(calls).toEqual([[1], [2, 3], [4, 5]]);
  expect(await answers).toEqual([2, 4, 6, 8, 10]);
});

test('several calls may be under way, and what comes while all are goes together', async () => {
  const { calls, ask, goOn } = startGroup(10, 2);
  const answers = Promise.all([1, 2, 3, 4].map(ask));
  expect(calls).toEqual([[1], [2]]);
  await goOn();
  expect(calls).toEqual([[1], [2], [3, 4]]);
  await goOn();
  await goOn();
  expect(await answers).toEqual([2, 4, 6, 8]);
});

test('a failure is of its group alone', async () => {
  const { ask, goOn } = startGroup(1);
  const answers = Promise.allSettled([1, 13, 3].map(ask));
  for (let call = 0; call < 3; call++) await goOn();
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('whoever comes later does not wait for a call that hangs', async () => {
  vi.useFakeTimers();
  try {
    const { calls, ask } = startGroup();
    for (const item of [1, 2, 3]) void ask(item);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(calls).toEqual([[1]]);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toEqual([[1], [2, 3]]);
  } finally {
    vi.useRealTimers();
  }
});
