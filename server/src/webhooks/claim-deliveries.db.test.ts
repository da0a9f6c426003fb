import { setTimeout } from 'node:timers/promises';
import { limits } from '@postrider/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { openFreshDatabase } from '../../test/harness/fresh-database.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { sequenceEvents } from '../events/sequence-events.ts';
import { createTimeScale } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { callOffDeliveries } from './call-off-deliveries.ts';
import { claimDeliveries, fanOutEvents } from './claim-deliveries.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import { createPlaces, type Room } from './places.ts';
import { giveBack, recordAttempt } from './record-attempt.ts';

const isPostgres = inject('testDatabases').kind === 'postgres';
const day = 24 * 3_600_000;
const workspaceId = newId('wsp');
let database: Database;
let now = Date.now();
let inbox: string;

beforeAll(async () => {
  database = await openFreshDatabase();
});
afterAll(() => database.close());

const query = (text: string, values: unknown[] = []) => database.pool.query(text, values);

beforeEach(async () => {
  await query('delete from webhooks; delete from webhook_deliveries; delete from events');
  inbox = newId('inb');
  await query(
    `insert into inboxes (workspace_id, id, local_part, address, created_at) values ($1, $2, 'a', 'a@b.c', now())`,
    [workspaceId, inbox],
  );
});

const deps = (): Deps =>
  ({
    db: database.db,
    clock: { now: () => new Date(now) },
    timeScale: createTimeScale(1),
    log: { warn: () => {} },
  }) as unknown as Deps;

const webhook = async (
  change: { events?: string[]; failing?: boolean; enabled?: boolean } = {},
): Promise<string> => {
  const id = newId('whk');
  const { rows } = await query(
    'select case when is_called then last_value else 0 end as newest from events_insertion_seq',
  );
  await query(
    `insert into webhooks (workspace_id, id, url, events, enabled, secret, failing_since, after_insertion, created_at)
     values ($1, $2, 'https://agent.invalid', $3, $4, 's', $5, $6, now())`,
    [
      workspaceId,
      id,
      change.events ?? ['message.received'],
      change.enabled ?? true,
      change.failing ? new Date(now - 1_000) : null,
      rows[0].newest,
    ],
  );
  return id;
};

const write = async (count: number, inboxId = inbox): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => newId('evt'));
  await query(
    `insert into events (workspace_id, id, event, inbox_id, thread_id, message_id, extra, created_at)
     select $1, id, 'message.received', $2, 'thr', 'msg', '{}', now() from unnest($3::text[]) id`,
    [workspaceId, inboxId, ids],
  );
  return ids;
};

const order = async () => {
  while ((await sequenceEvents(database)).ordered > 0);
};

const room = (change: Partial<Room> = {}): Room => ({
  ...createPlaces().room(),
  workspace_share: 1,
  ...change,
});

const fanOutAll = async (change: Partial<Room> = {}) => {
  const all: ClaimedDelivery[] = [];
  for (;;) {
    const { claimed, more } = await fanOutEvents(deps(), room(change), 250);
    all.push(...claimed);
    if (!more) return all;
  }
};

/** Puts so many due retries into the queue of a webhook. */
const queue = (id: string, count: number, more: { retry?: boolean; dueAt?: Date } = {}) =>
  query(
    `insert into webhook_deliveries select $1, 'dlv_' || $2 || n, $2, 'evt' || n, 'message.received', 'inb', 'log', 'pending',
       '[]', $4, 0, $5, $5, now(), null, null from generate_series(1, $3::int) n`,
    [workspaceId, id, count, more.retry ?? true, more.dueAt ?? new Date(now - 1_000)],
  );

const row = async (id: string) =>
  (await query('select * from webhook_deliveries where id = $1', [id])).rows[0];

describe('following the log', () => {
  test('makes one delivery of each event for each webhook that wants it, while many processes and writers race', async () => {
    const hooks = [
      await webhook(),
      await webhook(),
      await webhook({ events: ['message.received', 'message.bounced'] }),
    ];
    await webhook({ events: ['message.bounced'] });
    await webhook({ enabled: false });
    const written: string[] = [];
    let writing = true;
    const follow = async () => {
      const claimed: ClaimedDelivery[] = [];
      while (writing) {
        await sequenceEvents(database);
        claimed.push(...(await fanOutEvents(deps(), room(), 250)).claimed);
      }
      return claimed;
    };
    const write20 = async () => {
      for (let turn = 0; turn < 20; turn++) written.push(...(await write(3)));
    };
    const followers = Promise.all([follow(), follow(), follow()]);
    await Promise.all([write20(), write20(), write20()]);
    writing = false;
    const claimed = (await followers).flat();
    await order();
    claimed.push(...(await fanOutAll()));
    const { rows } = await query('select webhook_id, event_id from webhook_deliveries');
    const pairs = rows.map(({ webhook_id, event_id }) => `${webhook_id} ${event_id}`).sort();
    expect(pairs).toEqual(hooks.flatMap((hook) => written.map((event) => `${hook} ${event}`)).sort());
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(claimed.length);
  });

  test('goes on where it stood when the transaction is lost, and makes nothing twice', async () => {
    const hook = await webhook();
    await write(3);
    await order();
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query('select fan_out_events($1::jsonb)', [
      JSON.stringify({ ...room(), most: 10, at: new Date(now), lease_end: new Date(now) }),
    ]);
    await client.query('rollback');
    client.release();
    expect(await fanOutAll()).toHaveLength(3);
    expect(await fanOutAll()).toEqual([]);
    expect((await query('select from webhook_deliveries where webhook_id = $1', [hook])).rowCount).toBe(3);
  });

  test('skips what happened before the webhook, and events of deleted inboxes', async () => {
    const before = await write(2);
    await webhook();
    const after = await write(2);
    await query(
      `insert into inboxes (workspace_id, id, local_part, address, created_at, deleted_at)
      values ($1, 'inb_gone', 'gone', 'gone@b.c', now(), now()) on conflict do nothing`,
      [workspaceId],
    );
    await write(2, 'inb_gone');
    await order();
    const claimed = await fanOutAll();
    expect(claimed.map(({ event_id }) => event_id)).toEqual(after);
    expect(before).toHaveLength(2);
  });

  test('claims as many as there is room for, of each webhook and in all, and leaves the rest in the queue', async () => {
    const [busy, free] = [await webhook(), await webhook({ failing: true })];
    await write(20);
    await order();
    const claimed = await fanOutAll({ fresh_max: 10, failing_max: 2, busy: { [busy]: { fresh: 7 } } });
    const of = (id: string) => claimed.filter(({ webhook_id }) => webhook_id === id).length;
    expect([of(busy), of(free)]).toEqual([3, 2]);
    const due = await claimDeliveries(deps(), room({ free: 10, fresh_max: 100, failing_max: 100 }));
    expect([due.claimed.length, due.crowded]).toEqual([10, true]);
  });
});

describe('the deletion of a webhook', () => {
  test('that is not committed yet lets nobody make deliveries that nobody would remove', async () => {
    const hook = await webhook();
    await write(2);
    await order();
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query('delete from webhooks where id = $1', [hook]);
    const fannedOut = fanOutAll();
    await setTimeout(20);
    await client.query('commit');
    client.release();
    expect(await fannedOut).toEqual([]);
    expect((await query('select from webhook_deliveries')).rowCount).toBe(0);
  });
});

/** How many rows and entries of indexes the database looks at for one claim, which is then undone. */
const rowsReadToClaim = async (): Promise<number> => {
  const client = await database.pool.connect();
  // What this connection read before must not be counted with it.
  await client.query('select pg_stat_force_next_flush()');
  await client.query('begin');
  await client.query('select claim_deliveries($1::jsonb)', [
    JSON.stringify({ ...room(), at: new Date(now), lease_end: new Date(now) }),
  ]);
  const { rows } = await client.query(
    `select pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid) as count from pg_class
       where relname in ('webhook_deliveries', 'webhook_deliveries_due')`,
  );
  await client.query('rollback');
  client.release();
  return rows.reduce((sum, { count }) => sum + Number(count), 0);
};

describe('what is due', () => {
  test('is claimed once, however many processes look', async () => {
    const hook = await webhook();
    await queue(hook, 300);
    const takeAll = async () => {
      const all: ClaimedDelivery[] = [];
      for (let misses = 0; misses < 3; ) {
        const { claimed } = await claimDeliveries(deps(), room({ retry_max: 7 }));
        all.push(...claimed);
        misses = claimed.length === 0 ? misses + 1 : 0;
      }
      return all;
    };
    const all = (await Promise.all([takeAll(), takeAll(), takeAll()])).flat();
    expect(all).toHaveLength(300);
    expect(new Set(all.map(({ id }) => id)).size).toBe(300);
  });

  test.each([
    ['when the table was empty', 0],
    ['when it had those of one webhook', 1],
    ['when it had nearly all', 2],
  ])(
    'of one webhook does not keep back the others, however much it is and whatever the planner knows: %s',
    async (_, known) => {
      const hooks = [await webhook(), await webhook({ failing: true }), await webhook(), await webhook()];
      const many = isPostgres ? 100_000 : 20_000;
      // What other tests deleted stands in the index until then.
      await query('vacuum webhook_deliveries');
      for (const [index, hook] of hooks.slice(0, 2).entries()) {
        if (index === known) await query('analyze webhook_deliveries');
        await queue(hook, many);
      }
      if (known === 2) await query('analyze webhook_deliveries');
      await queue(hooks[2]!, 5);
      await queue(`${hooks[2]!}z`, 1_500);
      await queue(hooks[3]!, 5, { retry: false });
      const readRows = await rowsReadToClaim();
      expect(readRows).toBeGreaterThan(0);
      expect(readRows).toBeLessThan(many / 2);
      const { claimed, crowded } = await claimDeliveries(deps(), room());
      const counts = hooks.map((hook) => claimed.filter(({ webhook_id }) => webhook_id === hook).length);
      expect(counts).toEqual([128, 2, 5, 5]);
      expect(crowded).toBe(true);
    },
  );

  test('is the oldest first; first attempts and retries have room of their own', async () => {
    const hook = await webhook();
    await queue(hook, 30);
    await query(`update webhook_deliveries set is_retry = false, id = id || 'f' where event_id > 'evt2'`);
    await query(`update webhook_deliveries set due_at = due_at - interval '1 hour' where event_id = 'evt19'`);
    const { claimed } = await claimDeliveries(deps(), room({ fresh_max: 3, retry_max: 1 }));
    expect(claimed.filter(({ is_retry }) => !is_retry)).toHaveLength(3);
    expect(claimed.filter(({ is_retry }) => is_retry).map(({ event_id }) => event_id)).toEqual(['evt19']);
  });

  test('is not posted where it is a sample, which its own process posts or nobody', async () => {
    const hook = await webhook();
    await queue(hook, 2);
    await query(`update webhook_deliveries set origin = 'sample' where event_id = 'evt1'`);
    const { claimed } = await claimDeliveries(deps(), room());
    expect(claimed.map(({ event_id }) => event_id)).toEqual(['evt2']);
    const { rows } = await query(`select event_id from webhook_deliveries where status = 'failed'`);
    expect(rows).toEqual([{ event_id: 'evt1' }]);
  });

  test('later is told, so that nobody has to look before', async () => {
    const at = new Date(now + 60_000);
    await queue(await webhook(), 2, { dueAt: at });
    await queue(await webhook(), 2, { dueAt: new Date(now + 90_000) });
    expect(await claimDeliveries(deps(), room())).toEqual({ claimed: [], crowded: false, nextAt: at });
  });

  test('for a webhook that was deleted or stopped is called off', async () => {
    const stopped = await webhook({ enabled: false });
    await queue(stopped, 3);
    await queue(newId('whk'), 3);
    expect((await claimDeliveries(deps(), room())).claimed).toEqual([]);
    const { rows } = await query('select distinct status, due_at, next_at from webhook_deliveries');
    expect(rows).toEqual([{ status: 'failed', due_at: null, next_at: null }]);
  });
});

describe('calling off', () => {
  test('ends where the webhook was enabled again, so that new events are not lost', async () => {
    const hook = await webhook();
    await queue(hook, 3);
    await callOffDeliveries(deps(), hook);
    expect((await claimDeliveries(deps(), room())).claimed).toHaveLength(3);
  });

  test('leaves what is being posted because somebody asked for it', async () => {
    const hook = await webhook({ enabled: false });
    await queue(hook, 4);
    await query(`update webhook_deliveries set origin = 'sample' where event_id in ('evt1', 'evt2')`);
    await query(
      `update webhook_deliveries set due_at = due_at + interval '1 minute' where event_id in ('evt1', 'evt3')`,
    );
    await callOffDeliveries(deps(), hook);
    const { rows } = await query(`select event_id from webhook_deliveries where status = 'pending'`);
    expect(rows).toEqual([{ event_id: 'evt1' }]);
  });
});

describe('a lease', () => {
  const claimOne = async () => {
    await queue(await webhook(), 1);
    const { claimed } = await claimDeliveries(deps(), room());
    return claimed[0] as ClaimedDelivery;
  };
  const result = (status: 'succeeded' | 'failed' | 'pending', nextAt: Date | null = null) => ({
    attempt: { at: new Date(now).toISOString(), status_code: 204, error: null, duration_ms: 3 },
    status,
    nextAt,
  });

  test('runs out, and then another process has the delivery; what the first one notes does not count', async () => {
    const first = await claimOne();
    expect((await claimDeliveries(deps(), room())).claimed).toEqual([]);
    now += limits.webhookTimeoutMs + 60_000;
    const [second] = (await claimDeliveries(deps(), room())).claimed;
    expect(second).toMatchObject({ id: first.id, claims: first.claims + 1 });
    await recordAttempt(deps(), first, result('failed'));
    expect(await row(first.id)).toMatchObject({ status: 'pending', attempts: [] });
    await recordAttempt(deps(), second as ClaimedDelivery, result('succeeded'));
    expect(await row(first.id)).toMatchObject({
      status: 'succeeded',
      due_at: null,
      attempts: [{ status_code: 204 }],
    });
  });

  test('that is given back leaves the delivery as it was', async () => {
    const first = await claimOne();
    await giveBack(deps(), first, 'pending');
    expect((await claimDeliveries(deps(), room())).claimed).toMatchObject([{ id: first.id, attempted: 0 }]);
  });

  test('that is given back stops no webhook whose failure is noted at the same time', async () => {
    const [failing, other] = [await claimOne(), await claimOne()];
    await query('update webhooks set failing_since = $1', [new Date(now - 1_000)]);
    await Promise.all([
      recordAttempt(deps(), failing, result('pending', new Date(now))),
      giveBack(deps(), other, 'pending'),
    ]);
    expect((await query('select from webhooks where not enabled')).rowCount).toBe(0);
  });

  test('Interface 5: a webhook with nothing but failures for 5 days is stopped, and what is pending is called off', async () => {
    const first = await claimOne();
    const hook = first.webhook_id;
    const stateOf = async () => (await query('select enabled, failing_since from webhooks')).rows[0];
    await recordAttempt(deps(), first, result('pending', new Date(now)));
    expect(await stateOf()).toEqual({ enabled: true, failing_since: new Date(now) });
    const next = async () => (await claimDeliveries(deps(), room())).claimed[0] as ClaimedDelivery;
    await recordAttempt(deps(), await next(), result('succeeded'));
    expect(await stateOf()).toEqual({ enabled: true, failing_since: null });
    await query("update webhook_deliveries set status = 'pending', due_at = $1", [new Date(now)]);
    await recordAttempt(deps(), await next(), result('pending', new Date(now)));
    now += 5 * day - 1;
    await recordAttempt(deps(), await next(), result('pending', new Date(now)));
    expect(await stateOf()).toMatchObject({ enabled: true });
    now += 1;
    await query(
      'insert into webhook_deliveries select workspace_id, id || $1, webhook_id, event_id, event, inbox_id, origin, status, attempts, is_retry, claims, next_at, $2, created_at from webhook_deliveries',
      ['x', new Date(now + day)],
    );
    await recordAttempt(deps(), await next(), result('pending', new Date(now)));
    expect(await stateOf()).toMatchObject({ enabled: false });
    const { rows } = await query('select status, due_at from webhook_deliveries where webhook_id = $1', [
      hook,
    ]);
    expect(rows).toEqual([
      { status: 'failed', due_at: null },
      { status: 'failed', due_at: null },
    ]);
  });
});
