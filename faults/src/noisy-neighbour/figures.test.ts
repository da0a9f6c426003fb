import { expect, test } from 'vitest';
import { fitSlope, percentile, summarizeWaits } from './figures.ts';

test('a percentile is the least value that the share of all does not exceed', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect([percentile(hundred, 0.5), percentile(hundred, 0.99), percentile(hundred, 1)]).toEqual([
    50, 99, 100,
  ]);
  expect(percentile([7], 0.5)).toBe(7);
  expect(percentile([], 0.99)).toBe(0);
});

test('waits are told in whole milliseconds, whatever their order', () => {
  expect(summarizeWaits([900.4, 1, 2, 3])).toEqual({ count: 4, p50: 2, p99: 900, longest: 900 });
  expect(summarizeWaits([])).toEqual({ count: 0, p50: 0, p99: 0, longest: 0 });
});

test('a slope is that of the line through the points, and none of a single one', () => {
  expect(fitSlope([0, 1, 2, 3].map((x) => ({ x, y: 5 + 3 * x })))).toBeCloseTo(3);
  expect(fitSlope([0, 1, 2, 3].map((x) => ({ x, y: 5 + (x % 2) })))).toBeCloseTo(0.2);
  expect(fitSlope([{ x: 1, y: 1 }])).toBe(0);
});
