import { setImmediate } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { expect, test } from 'vitest';
import { endLoading, endLoadingOnceIdle } from './end-loading.ts';

test('the memory of what is no longer used is given back', () => {
  const before = fillYoungGeneration();
  endLoading();
  expect(youngBytes()).toBeLessThan(before / 2);
});

test('a thread that works keeps its memory and its compiled code until it is idle', async () => {
  const before = fillYoungGeneration();
  endLoadingOnceIdle(20);
  const until = performance.now() + 200;
  while (performance.now() < until) {
    for (const end = performance.now() + 15; performance.now() < end; );
    await setImmediate();
  }
  expect(youngBytes()).toBeGreaterThan(before / 2);
  await eventually('the memory to be given back', async () => youngBytes() < before / 2);
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
