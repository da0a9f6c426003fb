import { expect, test, vi } from 'vitest';
import { createBatcher } from './batched.ts';

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
  const ask = createBatcher(call, { countOf: upTo(most), callsMax });
  const goOn = async () => {
    pending.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { calls, ask, goOn };
};

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('what is asked in one turn goes together, and so does what comes while it is under way', async () => {
  const { calls, ask, goOn } = startGroup();
  const answers = [1, 2].map(ask);
  await nextTurn();
  expect(calls).toEqual([[1, 2]]);
  answers.push(ask(3));
  await nextTurn();
  answers.push(ask(4));
  expect(calls).toEqual([[1, 2]]);
  await goOn();
  expect(calls).toEqual([
    [1, 2],
    [3, 4],
  ]);
  await goOn();
  expect(await Promise.all(answers)).toEqual([2, 4, 6, 8]);
  void ask(5);
  await nextTurn();
  expect(calls.at(-1)).toEqual([5]);
});

test('no call is larger than it may be, and the order is kept', async () => {
  const { calls, ask, goOn } = startGroup(2);
  const answers = Promise.all([1, 2, 3, 4, 5].map(ask));
  await nextTurn();
  for (let call = 0; call < 3; call++) await goOn();
  expect(calls).toEqual([[1, 2], [3, 4], [5]]);
  expect(await answers).toEqual([2, 4, 6, 8, 10]);
});

test('several calls may be under way, and what comes while all are goes together', async () => {
  const { calls, ask, goOn } = startGroup(10, 2);
  const answers: Promise<number>[] = [];
  for (const item of [1, 2]) {
    answers.push(ask(item));
    await nextTurn();
  }
  answers.push(ask(3), ask(4));
  await nextTurn();
  expect(calls).toEqual([[1], [2]]);
  await goOn();
  expect(calls).toEqual([[1], [2], [3, 4]]);
  await goOn();
  await goOn();
  expect(await Promise.all(answers)).toEqual([2, 4, 6, 8]);
});

test('a failure is of its group alone', async () => {
  const { ask, goOn } = startGroup(1);
  const answers = Promise.allSettled([1, 13, 3].map(ask));
  await nextTurn();
  for (let call = 0; call < 3; call++) await goOn();
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('whoever comes later does not wait for a call that hangs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { calls, ask } = startGroup();
    void ask(1);
    await nextTurn();
    void ask(2);
    await nextTurn();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(calls).toEqual([[1]]);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toEqual([[1], [2]]);
  } finally {
    vi.useRealTimers();
  }
});
