import { expect, it } from 'vitest';
import { fitSlope, median, percentile } from './statistics.ts';

it('finds the middle of values in any order', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});

it('finds a percentile between two values by its distance from them', () => {
  expect(percentile([10, 20], 0.95)).toBeCloseTo(19.5);
  expect(percentile([7], 0.99)).toBe(7);
});

it('finds how fast a figure grows through noise', () => {
  expect(
    fitSlope([
      [0, 1],
      [1, 4],
      [2, 4],
      [3, 7],
    ]),
  ).toBeCloseTo(1.8);
});
