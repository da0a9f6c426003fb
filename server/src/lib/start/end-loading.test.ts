import { getHeapSpaceStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { endLoading } from './end-loading.ts';

test('the memory of what is no longer used is given back', () => {
  const before = fillYoungGeneration();
  endLoading();
  expect(youngBytes()).toBeLessThan(before / 2);
});

const youngBytes = (): number =>
  getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.physical_space_size ?? 0;

const fillYoungGeneration = (): number => {
  let kept: object[] = [];
  for (let index = 0; index < 1_000_000; index += 1) {
    kept.push({ index });
    if (kept.length > 20_000) kept = [];
  }
  return youngBytes();
};
