import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { paceWork } from '../change-feed.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pace = { firstMs: 100, mostMs: 1_000, growth: 2 };

/** Asks without a pause for some time, and returns when the work was done. */
const askFor = async (ms: number) => {
  const done: number[] = [];
  const from = performance.now();
  const { ask } = paceWork(
    async () => void done.push(performance.now() - from),
    () => pace,
  );
  for (let at = 0; at < ms; at += 10) {
    ask();
    await vi.advanceTimersByTimeAsync(10);
  }
  return { done, ask };
};

test('work is done at once after a pause, and ever more rarely while it is asked for without one', async () => {
  const { done } = await askFor(5_000);
  expect(done[0]).toBe(0);
  const gaps = done.slice(1).map((at, index) => at - (done[index] ?? 0));
  expect(gaps.slice(0, 4).map((gap) => Math.round(gap / 100) * 100)).toEqual([200, 400, 800, 1_000]);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(1_000);
});

test('after a pause the next request is served at once again', async () => {
  const { done, ask } = await askFor(3_000);
  await vi.advanceTimersByTimeAsync(5_000);
  const before = done.length;
  ask();
  await vi.advanceTimersByTimeAsync(0);
  expect(done.length).toBe(before + 1);
});

test('what is asked for while the work is being done is done afterwards, once', async () => {
  let runs = 0;
  const work = () => {
    runs += 1;
    return new Promise<void>((resolve) => setTimeout(resolve, 50));
  };
  const { ask } = paceWork(work, () => pace);
  ask();
  await vi.advanceTimersByTimeAsync(10);
  for (let more = 0; more < 5; more += 1) ask();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(runs).toBe(2);
});

test('the rest is never shorter than the pace of that moment says', async () => {
  let firstMs = 100;
  const done: number[] = [];
  const { ask } = paceWork(
    async () => void done.push(performance.now()),
    () => ({ ...pace, firstMs }),
  );
  const askUntil = async (count: number) => {
    while (done.length < count) {
      ask();
      await vi.advanceTimersByTimeAsync(10);
    }
  };
  await askUntil(2);
  firstMs = 3_000;
  await askUntil(3);
  expect(done[2]! - done[1]!).toBeGreaterThanOrEqual(3_000);
});
