import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairLimiter } from './fair-limiter.ts';

/** Work that ends when it is told to, and what has begun of it. */
const makeWork = (atOnceMax: number, atOnceOf: (key: string) => number = () => atOnceMax) => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const turns = createFairLimiter({ atOnceMax: () => atOnceMax, atOnceOf });
  const run = (key: string) =>
    turns.run(key, async () => {
      begun.push(key);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const endOne = async () => {
    ends.shift()?.();
    await setImmediate();
  };
  return { turns, begun, run, endOne };
};

test('owners that wait take turns, however much each of them asks for', async () => {
  const { begun, run, endOne } = makeWork(2);
  for (let n = 0; n < 6; n++) void run('greedy');
  void run('modest');
  void run('other');
  await setImmediate();
  expect(begun).toEqual(['greedy', 'greedy']);
  for (let n = 0; n < 6; n++) await endOne();
  expect(begun).toEqual(['greedy', 'greedy', 'greedy', 'modest', 'other', 'greedy', 'greedy', 'greedy']);
});

test('an owner has at most its own limit of work under way, and the rest is left to others', async () => {
  const { begun, run, endOne } = makeWork(4, (key) => (key === 'large' ? 1 : 4));
  for (const key of ['large', 'large', 'small', 'small', 'small', 'small']) void run(key);
  await setImmediate();
  expect(begun).toEqual(['large', 'small', 'small', 'small']);
  await endOne();
  expect(begun.slice(4)).toEqual(['large']);
});

test('what is held counts for its key and not for all', async () => {
  const { turns, begun, run } = makeWork(2, () => 1);
  const release = turns.hold('reader');
  void run('reader');
  void run('other');
  await setImmediate();
  expect(begun).toEqual(['other']);
  release();
  await setImmediate();
  expect(begun).toEqual(['other', 'reader']);
});

test('work that fails gives its turn back and answers its error', async () => {
  const { turns } = makeWork(1);
  const failing = turns.run('a', () => Promise.reject(new Error('broken')));
  const next = turns.run('b', async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

test('work that waits too long fails, and what waits behind it keeps its place', async () => {
  const begun: string[] = [];
  const { promise: held, resolve: end } = Promise.withResolvers<void>();
  const turns = createFairLimiter({
    atOnceMax: () => 1,
    atOnceOf: () => 1,
    patience: { msMax: () => 50, error: () => new Error('too late') },
  });
  const first = turns.run('a', () => held);
  const late = [
    turns.run('a', async () => begun.push('late')),
    turns.run('b', async () => begun.push('late')),
  ];
  const told = await Promise.allSettled(late);
  expect(told.map((one) => one.status === 'rejected' && String(one.reason))).toEqual(
    Array(2).fill('Error: too late'),
  );
  const next = turns.run('a', async () => begun.push('next'));
  end();
  await Promise.all([first, next]);
  expect(begun).toEqual(['next']);
});

test('work may bring a patience of its own, and ends its waiting when it is told to', async () => {
  const { promise: held, resolve: end } = Promise.withResolvers<void>();
  const turns = createFairLimiter({ atOnceMax: () => 1, atOnceOf: () => 1 });
  const first = turns.run('a', () => held);
  const ended = new AbortController();
  const begun: string[] = [];
  const wait = (msMax: number, name: string) =>
    turns.run('a', async () => begun.push(name), {
      msMax: () => msMax,
      error: () => new Error(name),
      ended: ended.signal,
    });
  await expect(wait(10, 'short')).rejects.toThrow('short');
  const long = wait(60_000, 'long');
  ended.abort();
  await expect(long).rejects.toThrow('long');
  const next = turns.run('a', async () => begun.push('next'));
  end();
  await Promise.all([first, next]);
  expect(begun).toEqual(['next']);
});

test('an owner of whom enough work waits is refused at once, and others still wait', async () => {
  const { promise: held, resolve: end } = Promise.withResolvers<void>();
  const patience = { msMax: () => 60_000, waitingMax: 2, error: () => new Error('too much') };
  const turns = createFairLimiter({ atOnceMax: () => 1, atOnceOf: () => 1, patience });
  const begun: string[] = [];
  const run = (owner: string) => turns.run(owner, async () => begun.push(owner));
  const first = turns.run('a', () => held);
  const waiting = [run('a'), run('a')];
  await expect(run('a')).rejects.toThrow('too much');
  const other = run('b');
  end();
  await Promise.all([first, ...waiting, other]);
  await run('a');
  expect(begun.toSorted()).toEqual(['a', 'a', 'a', 'b']);
});

test('work that is done counts for its owner, and not for all, until it has rested', async () => {
  const begun: string[] = [];
  const tookMs: number[] = [];
  const { promise: rested, resolve: endRest } = Promise.withResolvers<void>();
  const turns = createFairLimiter({
    atOnceMax: () => 1,
    atOnceOf: () => 1,
    rest: (took) => {
      tookMs.push(took);
      return rested;
    },
  });
  await turns.run('a', () => pause(5));
  const second = turns.run('a', async () => begun.push('a'));
  await turns.run('b', async () => begun.push('b'));
  expect(begun).toEqual(['b']);
  expect(tookMs[0]).toBeGreaterThan(3);
  endRest();
  await second;
  expect(begun).toEqual(['b', 'a']);
});
