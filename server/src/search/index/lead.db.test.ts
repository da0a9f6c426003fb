import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../db/database.ts';
import { createTimeScale } from '../../lib/clock.ts';
import { createLeadership } from './lead.ts';

let database: Database;
const clock = createMovingClock();

beforeAll(async () => {
  database = await openFreshDatabase();
});
afterAll(() => database.close());

const process = (name: string) =>
  createLeadership({ database, db: database.db, clock, timeScale: createTimeScale(1) }, name);

test('one of several processes holds a lease, until it gives it up', async () => {
  if (database.kind === 'embedded') return;
  const all = [process('one'), process('one'), process('one')];
  const holders = await Promise.all(all.map((each) => each.hold()));
  expect(holders.filter((holder) => holder !== null)).toHaveLength(1);
  const first = holders.findIndex((holder) => holder !== null);
  expect(await all[first]?.hold()).toBe(holders[first]);
  await all[first]?.leave();
  const next = await all[(first + 1) % 3]?.hold();
  expect(next).toEqual(expect.any(String));
  expect(next).not.toBe(holders[first]);
  expect(await all[first]?.hold()).toBeNull();
});

test('the lease of a process that died passes to another one when it ends', async () => {
  const died = await process('two').hold();
  const next = process('two');
  if (database.kind === 'postgres') {
    expect(await next.hold()).toBeNull();
    clock.advance(8_001);
  }
  // The embedded database has no other process that could hold it.
  const holder = await next.hold();
  expect(holder).toEqual(expect.any(String));
  expect(holder).not.toBe(died);
});

test('leases of different work do not exclude each other', async () => {
  expect(await process('three').hold()).toEqual(expect.any(String));
  expect(await process('four').hold()).toEqual(expect.any(String));
});
