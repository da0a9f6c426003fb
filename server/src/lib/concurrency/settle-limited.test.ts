import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { settleLimited } from './settle-limited.ts';

test('all items are worked on, a few at once, also after one has failed, and the results keep their order', async () => {
  let underway = 0;
  let most = 0;
  const results = await settleLimited([5, 1, 4, 2, 3], 2, async (item) => {
    underway += 1;
    most = Math.max(most, underway);
    await pause(item);
    underway -= 1;
    if (item === 1) throw new Error('one');
    return item * 10;
  });
  expect(most).toBe(2);
  expect(results).toEqual([
    { status: 'fulfilled', value: 50 },
    { status: 'rejected', reason: new Error('one') },
    ...[40, 20, 30].map((value) => ({ status: 'fulfilled', value })),
  ]);
  expect(await settleLimited([], 2, async () => 1)).toEqual([]);
});
