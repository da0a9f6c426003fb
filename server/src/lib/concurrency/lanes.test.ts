import { expect, test } from 'vitest';
import { Lanes } from './lanes.ts';

const rules = { placesMax: 10, keptForOthers: 3, failingMax: 2 };

const take = (lanes: Lanes, lane: string, count: number) => {
  for (let taken = 0; taken < count; taken++) lanes.enter(lane);
};

test('one lane leaves places to the others', () => {
  const lanes = new Lanes(rules);
  expect([lanes.roomOf('a'), lanes.roomOfIdle]).toEqual([7, 7]);
  take(lanes, 'a', 7);
  expect([lanes.roomOf('a'), lanes.roomOf('b'), lanes.free]).toEqual([0, 3, 3]);
  lanes.leave('a');
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
