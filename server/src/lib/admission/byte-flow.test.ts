import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ByteFlow } from './rate.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets bytes through a flow, and tells in which order and when they went on. */
const watchFlow = (bytesPerSecond: number) => {
  const flow = new ByteFlow(bytesPerSecond);
  const startedAt = performance.now();
  const gone: [name: string, afterMs: number][] = [];
  const pass = (name: string, bytes: number, { order = 0, waitMsMax = 60_000 } = {}) => {
    const note = () => void gone.push([name, performance.now() - startedAt]);
    const wait = flow.pass({ bytes, order, waitMsMax });
    if (wait) void wait.then(note);
    else note();
  };
  return { pass, gone };
};

test('bytes of a fifth of a second go on at once, and what follows at the rate', async () => {
  const { pass, gone } = watchFlow(1_000);
  for (const name of ['a', 'b', 'c', 'd']) pass(name, 100);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(gone).toEqual([
    ['a', 0],
    ['b', 0],
    ['c', 1],
    ['d', 101],
  ]);
});

test('a long pause saves up a fifth of a second and no more', async () => {
  const { pass, gone } = watchFlow(1_000);
  await vi.advanceTimersByTimeAsync(60_000);
  for (const name of ['a', 'b']) pass(name, 200);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(gone).toEqual([
    ['a', 60_000],
    ['b', 60_001],
  ]);
});

test('bytes of a lower order go first, and those of one order as they came', async () => {
  const { pass, gone } = watchFlow(1_000);
  pass('first', 1_000);
  pass('late', 100, { order: 2 });
  pass('early', 100, { order: 1 });
  pass('early, second', 100, { order: 1 });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(gone.map(([name]) => name)).toEqual(['first', 'early', 'early, second', 'late']);
});

test('bytes that may overtake those that wait still wait for the rate', async () => {
  const { pass, gone } = watchFlow(1_000);
  pass('much', 3_000);
  pass('late', 100, { order: 2 });
  pass('early', 100, { order: 1 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(gone).toEqual([['much', 0]]);
});

test('however much was let on early, no more than half a minute of it is made up for', async () => {
  const { pass, gone } = watchFlow(1_000);
  for (let n = 0; n < 100; n++) pass('at once', 1_000, { waitMsMax: 0 });
  pass('late', 1, { waitMsMax: 600_000 });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(gone.at(-1)).toEqual(['late', 30_001]);
});

test('nothing waits longer than it said, and what was let on early is made up for', async () => {
  const { pass, gone } = watchFlow(1_000);
  pass('much', 10_000);
  pass('impatient', 1_000, { waitMsMax: 200 });
  pass('at once', 1_000, { waitMsMax: 0 });
  pass('patient', 1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(gone).toEqual([
    ['much', 0],
    ['at once', 0],
    ['impatient', 200],
    ['patient', 11_801],
  ]);
});
