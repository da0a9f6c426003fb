import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SocketBudget, type SocketPlace } from './socket-budget.ts';

function makeBudget(change: { socketsMax?: number; unprovenMax?: number } = {}) {
  let rooms = 0;
  const makeRoom = () => {
    rooms += 1;
  };
  const limits = { socketsMax: 10, unprovenMax: 6, unprovenOfOwnerMax: 3, ...change };
  const budget = new SocketBudget({ ...limits, makeRoom });
  const taken: { owner: string; place: SocketPlace }[] = [];
  const never = new AbortController().signal;
  const enter = (owner: string, isProven: boolean, count = 1, signal = never) =>
    Array.from({ length: count }, () =>
      budget.enter(owner, isProven, signal).then((place) => taken.push({ owner, place })),
    );
  const owners = async () => {
    await turn();
    return taken
      .map(({ owner }) => owner)
      .sort()
      .join('');
  };
  return { enter, taken, owners, rooms: () => rooms };
}

test('one owner leaves sockets of unproven destinations to the others, however many it waits for', async () => {
  const { enter, owners } = makeBudget();
  enter('a', false, 50);
  expect(await owners()).toBe('aaa');
  enter('b', false, 50);
  expect(await owners()).toBe('aaabbb');
});

test('what an owner sends to destinations that work does not wait for those that may not', async () => {
  const { enter, owners, taken } = makeBudget();
  enter('a', false, 10);
  enter('a', true, 2);
  expect(await owners()).toBe('aaaaa');
  // A destination that turns out to work makes room for the next, and so does one that is left.
  taken[0]?.place.prove();
  expect(await owners()).toBe('aaaaaa');
  taken[1]?.place.leave();
  taken[1]?.place.leave();
  expect(await owners()).toBe('aaaaaaa');
});

test('owners take turns for a socket', async () => {
  const { enter, owners, taken, rooms } = makeBudget({ socketsMax: 2 });
  enter('a', true, 10);
  enter('b', true);
  expect([await owners(), rooms()]).toEqual(['aa', 9]);
  for (const { place } of [...taken]) place.leave();
  expect(await owners()).toBe('aaab');
});

test('who stops waiting takes no socket', async () => {
  const { enter, owners, taken } = makeBudget({ socketsMax: 1 });
  enter('a', true);
  const gone = new AbortController();
  const [waiting] = enter('b', false, 1, gone.signal);
  enter('c', false);
  gone.abort();
  await expect(waiting).rejects.toThrow('No connection became free.');
  await owners();
  taken[0]?.place.leave();
  expect(await owners()).toBe('ac');
});
