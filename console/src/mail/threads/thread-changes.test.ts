import { expect, test } from 'vitest';
import { runEach } from './thread-changes.ts';

const items = Array.from({ length: 10 }, (_, index) => index);

test('a few run at a time, and all of them are awaited', async () => {
  let running = 0;
  let most = 0;
  const ended: number[] = [];
  await runEach(items, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    ended.push(item);
  });
  expect(most).toBe(4);
  expect(ended.toSorted((a, b) => a - b)).toEqual(items);
});

test('a failure does not keep the others from running', async () => {
  const begun: number[] = [];
  const all = runEach(items, async (item) => {
    begun.push(item);
    if (item === 0) throw new Error('refused');
  });
  await expect(all).rejects.toThrow('refused');
  expect(begun).toEqual(items);
});

test.each(['before', 'after'])('all begin at once when it is hurried %s it began', async (when) => {
  const hurry = new AbortController();
  const begun: number[] = [];
  let finish: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => {
    finish = resolve;
  });
  if (when === 'before') hurry.abort();
  const all = runEach(
    items,
    async (item) => {
      begun.push(item);
      await gate;
    },
    hurry.signal,
  );
  expect(begun).toHaveLength(when === 'before' ? items.length : 4);
  hurry.abort();
  expect(begun).toEqual(items);
  finish?.();
  await all;
});
