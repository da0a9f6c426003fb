import { expect, test } from 'vitest';
import { unitLength } from './provider.ts';

test('numbers get unit length, however small or large they are', () => {
  for (const scale of [1e-15, 1, 1e18])
    expect([...unitLength([3 * scale, 4 * scale])]).toEqual([expect.closeTo(0.6, 6), expect.closeTo(0.8, 6)]);
});

test('numbers without a direction become zeros', () => {
  for (const numbers of [
    [0, 0],
    [Number.NaN, 1],
    [1, Number.POSITIVE_INFINITY],
    [1e300, 1],
  ])
    expect([...unitLength(numbers)]).toEqual([0, 0]);
  expect([...unitLength([])]).toEqual([]);
});
