import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sharePlaces } from './share-places.ts';

it('runs at most so many at once, all of them, in order, also after one failed', async () => {
  const withPlace = sharePlaces(2);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const work = (index: number) => async () => {
    started.push(index);
    most = Math.max(most, ++running);
    await sleep(5);
    running--;
    if (index === 1) throw new Error('broken');
    return index;
  };
  const results = await Promise.allSettled([0, 1, 2, 3, 4].map((index) => withPlace(work(index))));
  expect(started).toEqual([0, 1, 2, 3, 4]);
  expect(most).toBe(2);
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
});
