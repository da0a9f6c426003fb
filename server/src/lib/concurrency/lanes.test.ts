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

test('lanes that fail are forgotten, the first one first', () => {
  const lanes = new Lanes(rules);
  for (let lane = 0; lane <= 1_000; lane++) lanes.note(String(lane), true);
  expect([lanes.roomOf('0'), lanes.roomOf('1'), lanes.roomOf('1000')]).toEqual([7, 2, 2]);
});
