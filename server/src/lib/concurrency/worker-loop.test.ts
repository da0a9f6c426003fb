import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { nothingDue, startLoop, type WorkerLoop } from './worker-loop.ts';

const longMs = 60_000;
const hang = { timeout: 120_000 };

const countLooks = (
  look: (count: number, loop: () => WorkerLoop) => number | Promise<number>,
  { periodMs = 0, lookAgainMs = longMs } = {},
) => {
  const errors: unknown[] = [];
  let looks = 0;
  const loop: WorkerLoop = startLoop({
    look: async () => {
      await null;
      looks += 1;
      return look(looks, () => loop);
    },
    onError: (error) => errors.push(error),
    lookAgainMs,
    periodMs: () => periodMs,
  });
  return { loop, errors, looks: () => looks };
};

test('looks until there is no more work, and again once it is woken', async () => {
  const { loop, looks } = countLooks((count) => (count < 3 ? 0 : longMs));
  await expect.poll(looks, hang).toBe(3);
  loop.wake();
  await expect.poll(looks, hang).toBe(4);
  await loop.stop();
  expect(looks()).toBe(4);
});

test('a wake-up during a look leads to another look', async () => {
  const { loop, looks } = countLooks((count, self) => {
    if (count === 1) self().wake();
    return longMs;
  });
  await expect.poll(looks, hang).toBe(2);
  await loop.stop();
});

test('looks again when more is due, or after a while if nothing is known to be', async () => {
  const due = countLooks(() => 1);
  await expect.poll(due.looks, hang).toBeGreaterThan(3);
  await due.loop.stop();
  const unknown = countLooks(() => nothingDue, { lookAgainMs: 1 });
  await expect.poll(unknown.looks, hang).toBeGreaterThan(3);
  await unknown.loop.stop();
});

test('a look that failed is told and repeated', async () => {
  const { loop, looks, errors } = countLooks((count) => {
    if (count < 3) throw new Error(`look ${count}`);
    return longMs;
  });
  await expect.poll(looks, hang).toBe(3);
  expect(errors).toEqual([new Error('look 1'), new Error('look 2')]);
  await loop.stop();
});

test('wake-ups without a pause do not start looks sooner than the period allows', async () => {
  const startedAt: number[] = [];
  const { loop } = countLooks(
    () => {
      startedAt.push(performance.now());
      return longMs;
    },
    { periodMs: 20 },
  );
  while (startedAt.length < 3) {
    loop.wake();
    await sleep(1);
  }
  await loop.stop();
  const [first = 0, second = 0, third = 0] = startedAt;
  // Timers may fire a millisecond early.
  expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(18);
});

test('a stop waits for the look under way, which can see it, and for no pause', async () => {
  let seen = false;
  const loop = startLoop({
    look: async (stopped) => {
      await new Promise((resolve) => stopped.addEventListener('abort', resolve));
      seen = true;
      return longMs;
    },
    onError: () => {},
    lookAgainMs: longMs,
  });
  await loop.stop();
  expect(seen).toBe(true);
});
