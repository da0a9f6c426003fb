import { expect, test } from 'vitest';
import { nextPeriodMs } from './indexer.ts';

test('batches come less often while each takes some mail, and fast again while more waits than one holds', () => {
  const full = 256;
  const periods = [25];
  for (const taken of [40, 40, 40, 40, full, 40, 0, 1])
    periods.push(nextPeriodMs(periods.at(-1)!, taken, full));
  expect(periods).toEqual([25, 50, 100, 150, 150, 25, 50, 25, 50]);
});
