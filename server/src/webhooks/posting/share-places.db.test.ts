import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { sequenceEvents } from '../../events/write-log.ts';
import { createTimeScale } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { claimDeliveries, fanOutEvents } from './claim-deliveries.ts';
import { createPostSlots, type Room } from './post-slots.ts';

const events = 10;
let database: Database;
let deps: Deps;

beforeAll(async () => {
  database = await openFreshDatabase();
  const clock = { now: () => new Date() };
  deps = { db: database.db, clock, timeScale: createTimeScale(1) } as unknown as Deps;
});
afterAll(() => database.close());

/** Makes a workspace with webhooks and events that all of them want. */
const makeWorkspace = async (webhooks: number): Promise<string> => {
  const workspaceId = newId('wsp');
  const ids = Array.from({ length: webhooks }, () => newId('whk'));
  for (const [text, values] of [
    [
      `insert into inboxes (workspace_id, id, local_part, address, created_at) values ($1, $1, 'a', $1, now())`,
      [],
    ],
    [
      `insert into webhooks (workspace_id, id, url, events, enabled, secret, after_insertion, created_at)
         select $1, id, 'https://agent.invalid', '{message.received}', true, 's', 0, now() from unnest($2::text[]) id`,
      [ids],
    ],
    [
      `insert into events (workspace_id, id, event, inbox_id, thread_id, message_id, extra, created_at)
         select $1, id, 'message.received', $1, 'thr', 'msg', '{}', now() from unnest($2::text[]) id`,
      [Array.from({ length: events }, () => newId('evt'))],
    ],
  ] as const)
    await database.pool.query(text, [workspaceId, ...values]);
  while ((await sequenceEvents(database)).ordered > 0);
  return workspaceId;
};

const makeRoom = (change: Partial<Room>): Room => ({
  ...createPostSlots().room(),
  deliveries_max: 1_000,
  ...change,
});

test('a workspace with many webhooks takes half of the places that are free, and leaves the others to the next one', async () => {
  const greedy = await makeWorkspace(20);
  const modest = await makeWorkspace(1);
  const { claimed, waiting } = await fanOutEvents(deps, makeRoom({ free: 100 }), 250);
  const countClaimed = (workspaceId: string, of = claimed) =>
    of.filter(({ workspace_id }) => workspace_id === workspaceId).length;
  expect([countClaimed(greedy), countClaimed(modest), waiting]).toEqual([50, events, 150]);
  const busy_workspaces = { [greedy]: 50 };
  const next = await claimDeliveries(deps, makeRoom({ free: 60, busy_workspaces }));
  expect([countClaimed(greedy, next.claimed), next.crowded]).toEqual([5, true]);
  const alone = await claimDeliveries(deps, makeRoom({ free: 60 }));
  expect(countClaimed(greedy, alone.claimed)).toBe(30);
});

test('a process that says nothing of shares and limits has none', async () => {
  const workspaceId = await makeWorkspace(4);
  const { workspace_share: _, busy_workspaces: __, deliveries_max: ___, ...room } = makeRoom({ free: 30 });
  const { claimed } = await fanOutEvents(deps, room as Room, 250);
  expect(claimed.filter(({ workspace_id }) => workspace_id === workspaceId).length).toBe(30);
});

test('one statement makes about so many deliveries, of one event at least, and the next one goes on behind them', async () => {
  await makeWorkspace(20);
  const seen = [];
  for (let more = true; more; ) {
    const taken = await fanOutEvents(deps, makeRoom({ deliveries_max: 50 }), 250);
    seen.push([taken.lookedAt, taken.claimed.length + taken.waiting]);
    more = taken.more;
  }
  expect(seen).toEqual([
    [3, 60],
    [3, 60],
    [3, 60],
    [1, 20],
  ]);
  await makeWorkspace(20);
  const one = await fanOutEvents(deps, makeRoom({ deliveries_max: 1 }), 250);
  expect([one.lookedAt, one.more]).toEqual([1, true]);
});
