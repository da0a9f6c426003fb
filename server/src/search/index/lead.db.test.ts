import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { endSharedServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../../db/database.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import { createTimeScale } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { bucketMessages, createBucketChooser } from './choose-bucket.ts';
import { createLeadership, LeaseLost } from './lead.ts';

let database: Database;
const clock = createMovingClock();

beforeAll(async () => {
  await endSharedServer();
  database = await openFreshDatabase();
});
afterAll(() => database.close());
// A lease of 8 s may be over between two lines where the machine is slow.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const process = (name: string) =>
  createLeadership({ db: database.db, clock, timeScale: createTimeScale(1) }, name);

test('one of several processes holds a lease, until it gives it up', async () => {
  const all = [process('one'), process('one'), process('one')];
  const holders = await Promise.all(all.map((each) => each.hold()));
  expect(holders.filter((holder) => holder !== null)).toHaveLength(1);
  const first = holders.findIndex((holder) => holder !== null);
  expect(await all[first]?.hold()).toBe(holders[first]);
  await all[first]?.leave();
  const next = await process('one').hold();
  expect(next).toEqual(expect.any(String));
  expect(next).not.toBe(holders[first]);
  expect(await all[first]?.hold()).toBeNull();
});

test('the lease of a process that died passes to another one when it ends', async () => {
  const died = await process('two').hold();
  expect(await process('two').hold()).toBeNull();
  wait();
  const next = process('two');
  const holder = await next.hold();
  expect(holder).toEqual(expect.any(String));
  expect(holder).not.toBe(died);
});

/** Lets so much time pass that a process asks again. */
const wait = () => {
  vi.advanceTimersByTime(25_001);
};

test('a process that was paused keeps the lease if no other process took it', async () => {
  const paused = process('five');
  const holder = await paused.hold();
  wait();
  expect(await paused.hold()).toBe(holder);
});

test('a process that was paused begins anew if another process had the lease meanwhile', async () => {
  const paused = process('six');
  const holder = await paused.hold();
  wait();
  const other = process('six');
  expect(await other.hold()).toEqual(expect.any(String));
  await other.leave();
  const next = await paused.hold();
  expect(next).toEqual(expect.any(String));
  expect(next).not.toBe(holder);
});

test('a process that lost the lease opens no bucket', async () => {
  const deps = { db: database.db, database };
  const full = bucketMessages;
  const paused = process('search');
  const [workspaceId, messageId] = [newId('wsp'), newId('msg')];
  const choose = createBucketChooser(deps, (await paused.hold()) ?? '');
  const place = await choose(workspaceId, messageId);
  wait();
  const holder = (await process('search').hold()) ?? '';
  const chooseAnew = createBucketChooser(deps, holder);
  for (let message = 0; message <= full; message += 1) await chooseAnew(workspaceId, messageId);
  const newest = () =>
    acrossWorkspaces(deps, 'a test')
      .selectFrom('search_workspaces')
      .select(['newest_bucket', 'in_newest'])
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst();
  const before = await newest();
  expect(before).toEqual({ newest_bucket: place.bucket + 1, in_newest: 0 });
  const late = async () => {
    for (let message = 0; message <= full; message += 1) await choose(workspaceId, messageId);
  };
  await expect(late()).rejects.toThrow(LeaseLost);
  expect(await newest()).toEqual(before);
});

test('leases of different work do not exclude each other', async () => {
  expect(await process('three').hold()).toEqual(expect.any(String));
  expect(await process('four').hold()).toEqual(expect.any(String));
});
