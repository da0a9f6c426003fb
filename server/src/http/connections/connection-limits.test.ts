import { expect, test } from 'vitest';
import { connectionsOf, perClientOf } from './connection-limits.ts';

test.each([
  [300, true, 16],
  [300, false, 91],
  [1_024, true, 320],
  [1_024, false, 544],
  [20_000, true, 12_180],
  [Number.MAX_SAFE_INTEGER, true, 20_000],
  [50, false, 16],
])('of %s descriptors, embedded %s, connections have %s', (descriptors, isEmbedded, connections) => {
  expect(connectionsOf(descriptors, isEmbedded)).toBe(connections);
});

test('one client has a part of few connections and a fixed number of many', () => {
  expect([16, 544, 12_180].map(perClientOf)).toEqual([4, 136, 1_000]);
});
