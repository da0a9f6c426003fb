import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Slots } from './slots.ts';

/** Work that ends when it is told to, and what has begun of it. */
const makeWork = (slots: number, ofOwner: (key: string) => number = () => slots) => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const turns = new Slots({ slots, ofOwner: slots }, { ofOwner });
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
  const release = turns.linger('reader');
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
  const turns = new Slots({ slots: 1, ofOwner: 1, waitMs: 50 }, { refusal: () => new Error('too late') });
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
  const turns = new Slots({ slots: 1, ofOwner: 1 });
  const first = turns.run('a', () => held);
  const ended = new AbortController();
  const begun: string[] = [];
  const wait = (waitMs: number, name: string) =>
    turns.run('a', async () => begun.push(name), {
      waitMs,
      refusal: () => new Error(name),
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
  const turns = new Slots(
    { slots: 1, ofOwner: 1, waitMs: 60_000, waitingOfOwner: 2 },
    { refusal: () => new Error('too much') },
  );
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
  const turns = new Slots({ slots: 1, ofOwner: 1, rest: { share: 1_000, msMax: 50 } });
  await turns.run('a', () => pause(5));
  const second = turns.run('a', async () => begun.push('a'));
  await turns.run('b', async () => begun.push('b'));
  expect(begun).toEqual(['b']);
  await second;
  expect(begun).toEqual(['b', 'a']);
});

test('work of many slots waits until they fit, but alone it always fits', async () => {
  const slots = new Slots({ slots: 10, ofOwner: 8 });
  const first = await slots.take('a', 11);
  let isTaken = false;
  const second = slots.take('b', 1).then((release) => {
    isTaken = true;
    return release;
  });
  await setImmediate();
  expect(isTaken).toBe(false);
  first();
  (await second)();
  const releases = [await slots.take('a', 5), await slots.take('b', 5)];
  expect([slots.hasRoom('a'), slots.countOf('a'), slots.countOf('c')]).toEqual([true, 1, 0]);
  for (const release of releases) release();
});

test('small work of an owner does not pass by its large work that waits', async () => {
  const slots = new Slots({ slots: 10, ofOwner: 10 });
  const order: string[] = [];
  const first = await slots.take('a', 8);
  const large = slots.take('a', 5).then(() => order.push('large'));
  const small = slots.take('a', 1).then(() => order.push('small'));
  const other = slots.take('b', 1).then(() => order.push('other'));
  await other;
  first();
  // To release twice is to release once.
  first();
  await Promise.all([large, small]);
  expect(order).toEqual(['other', 'large', 'small']);
});

test('an owner has so many pieces of work, however small they are', async () => {
  const slots = new Slots({ slots: 10, ofOwner: 10, piecesOfOwner: 2 }, { refusal: () => new Error('full') });
  const releases = [await slots.take('a', 1), slots.takeNow('a')];
  expect(() => slots.takeNow('a')).toThrow('full');
  slots.takeNow('b');
  releases[0]?.();
  slots.takeNow('a');
});

test('an owner takes about half of what is free, so that there is room for the next one', () => {
  const slots = new Slots({ slots: 32, ofOwner: Number.POSITIVE_INFINITY, shareOfFree: 0.5 });
  const fill = (owner: string): number => {
    let count = 0;
    for (; slots.hasRoom(owner); count += 1) slots.hold(owner, 1);
    return count;
  };
  expect(['a', 'b', 'c', 'd'].map(fill)).toEqual([17, 8, 4, 2]);
  expect([slots.hasRoom('a'), slots.hasRoom('e')]).toEqual([false, true]);
});

test('an owner that holds more than all waits until it has given back, and one that waits is refused once its caller is gone', async () => {
  const slots = new Slots({ slots: 10, ofOwner: 10, shareOfFree: 0.5 }, { refusal: () => new Error('gone') });
  const release = slots.hold('a', 20);
  const waiting = slots.take('a', 0);
  const gone = new AbortController();
  const leaving = slots.take('a', 0, { ended: gone.signal });
  gone.abort();
  await expect(leaving).rejects.toThrow('gone');
  await expect(slots.take('a', 0, { ended: gone.signal })).rejects.toThrow('gone');
  release();
  (await waiting)();
  expect(slots.countOf('a')).toBe(0);
});
