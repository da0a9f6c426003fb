import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type LanePlace, type LaneRules, Lanes } from './lanes.ts';

const rules = { placesMax: 10, keptForOthers: 3, failingMax: 2 };

const take = (lanes: Lanes, lane: string, count: number) =>
  Array.from({ length: count }, () => lanes.enter(lane));

test('one lane leaves places to the others', () => {
  const lanes = new Lanes(rules);
  expect([lanes.roomOf('a'), lanes.roomOfIdle]).toEqual([7, 7]);
  const [place] = take(lanes, 'a', 7);
  expect([lanes.roomOf('a'), lanes.roomOf('b'), lanes.free]).toEqual([0, 3, 3]);
  place?.leave();
  expect(lanes.roomOf('a')).toBe(1);
});

test('a lane has few places after a failure, until it succeeds', () => {
  const lanes = new Lanes(rules);
  lanes.note('a', true);
  expect(lanes.roomOf('a')).toBe(2);
  expect(lanes.rooms()).toEqual({ a: 2 });
  take(lanes, 'a', 2);
  expect(lanes.roomOf('a')).toBe(0);
  lanes.note('a', false);
  expect(lanes.rooms()).toEqual({ a: 5 });
});

test('lanes that fail leave places to the others, however many they are', () => {
  const lanes = new Lanes({ ...rules, failingInAllMax: 5 });
  for (const lane of ['a', 'b', 'c', 'd']) lanes.note(lane, true);
  expect([lanes.failing, lanes.freeOfFailing]).toEqual([['a', 'b', 'c', 'd'], 5]);
  take(lanes, 'a', 2);
  take(lanes, 'b', 2);
  expect([lanes.roomOf('c'), lanes.roomOf('a'), lanes.freeOfFailing]).toEqual([1, 0, 1]);
  take(lanes, 'c', 1);
  expect(lanes.rooms()).toEqual({ a: 0, b: 0, c: 0, d: 0 });
  expect([lanes.roomOf('well'), lanes.free]).toEqual([5, 5]);
  // A lane that works again has its places from the common ones, and those of the failing are free for others that fail.
  lanes.note('a', false);
  expect([lanes.roomOf('d'), lanes.roomOf('a')]).toEqual([2, 5]);
  take(lanes, 'well', 5);
  expect([lanes.freeOfFailing, lanes.roomOf('d')]).toEqual([0, 0]);
});

test('lanes that fail are forgotten, the first one first', () => {
  const lanes = new Lanes(rules);
  for (let lane = 0; lane <= 1_000; lane++) lanes.note(String(lane), true);
  expect([lanes.roomOf('0'), lanes.roomOf('1'), lanes.roomOf('1000')]).toEqual([7, 2, 2]);
});

/** Sockets of owners, of which each has a lane for destinations that are not known to work. */
function makeSockets(change: Partial<LaneRules> = {}) {
  let rooms = 0;
  const makeRoom = () => {
    rooms += 1;
  };
  const sockets = { placesMax: 10, keptForOthers: 0, failingMax: 3, failingInAllMax: 6 };
  const lanes = new Lanes({ ...sockets, isFailing: (lane) => lane.startsWith('-'), makeRoom, ...change });
  const taken: { lane: string; place: LanePlace }[] = [];
  const enter = (lane: string, count = 1, signal?: AbortSignal) =>
    Array.from({ length: count }, async () => {
      const place = await lanes.take(lane, signal);
      if (place) taken.push({ lane, place });
      return place !== null;
    });
  const owners = async () => {
    await turn();
    return taken
      .map(({ lane }) => lane.slice(1))
      .sort()
      .join('');
  };
  return { lanes, enter, taken, owners, rooms: () => rooms };
}

test('one owner leaves places of failing lanes to the others, however many it waits for', async () => {
  const { enter, owners } = makeSockets();
  enter('-a', 50);
  expect(await owners()).toBe('aaa');
  enter('-b', 50);
  expect(await owners()).toBe('aaabbb');
});

test('a lane that works does not wait for those that fail, and a place that moves to it makes room', async () => {
  const { enter, owners, taken } = makeSockets();
  enter('-a', 10);
  enter('+a', 2);
  expect(await owners()).toBe('aaaaa');
  taken[0]?.place.move('+a');
  expect(await owners()).toBe('aaaaaa');
  taken[1]?.place.leave();
  taken[1]?.place.leave();
  expect(await owners()).toBe('aaaaaaa');
});

test('lanes take turns for a place, and what waits for the resource asks for room', async () => {
  const { enter, owners, taken, rooms } = makeSockets({ placesMax: 2 });
  enter('+a', 10);
  enter('+b');
  expect([await owners(), rooms()]).toEqual(['aa', 9]);
  for (const { place } of [...taken]) place.leave();
  expect(await owners()).toBe('aaab');
});

test('work that is given up takes no place', async () => {
  const { lanes, enter, owners, taken } = makeSockets({ placesMax: 1 });
  enter('+a');
  const gone = new AbortController();
  const [waiting] = enter('-b', 1, gone.signal);
  enter('-c');
  const [atEnd] = enter('+d');
  gone.abort();
  expect([await waiting, lanes.waiting, lanes.waitingIn('+d')]).toEqual([false, 2, 1]);
  taken[0]?.place.leave();
  expect(await owners()).toBe('ac');
  lanes.close();
  expect([await atEnd, await enter('+e')[0]]).toEqual([false, false]);
});

test('work waits while nothing may begin', async () => {
  let restMs = 20;
  const { enter, owners } = makeSockets({ restMs: () => restMs });
  const [begun] = enter('+a');
  expect(await owners()).toBe('');
  restMs = 0;
  expect(await begun).toBe(true);
});
