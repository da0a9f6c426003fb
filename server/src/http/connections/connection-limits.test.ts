import { expect, test } from 'vitest';
import { connectionsFor, connectionsPerClient } from './connection-room.ts';

test.each([
  [50, 16],
  [300, 91],
  [1_024, 544],
  [20_000, 12_404],
  [Number.MAX_SAFE_INTEGER, 20_000],
])('of %s descriptors connections have %s', (descriptors, connections) => {
  expect(connectionsFor(descriptors)).toBe(connections);
});

test('one client has a part of few connections and a fixed number of many', () => {
  expect([16, 544, 12_180].map(connectionsPerClient)).toEqual([4, 136, 1_000]);
});
