import { setTimeout } from 'node:timers/promises';
import { makeRoom, openWebhookQueue, type WebhookQueue } from '@postrider/testkit/database/webhook-queue.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sequenceEvents } from '../../events/write-log.ts';
import { newId } from '../../lib/ids.ts';
import type { ClaimedDelivery } from '../delivery.ts';
import { claimDeliveries, type Due, fanOutEvents } from './claim-deliveries.ts';
import type { Room } from './post-slots.ts';

let desk: WebhookQueue;

beforeAll(async () => {
  desk = await openWebhookQueue();
});
afterAll(() => desk.database.close());
beforeEach(() => desk.clear());

const order = async () => {
  while ((await sequenceEvents(desk.database)).ordered > 0);
};

const fanOutAll = async (change: Partial<Room> = {}) => {
  const all: ClaimedDelivery[] = [];
  for (;;) {
    const { claimed, more } = await fanOutEvents(desk.deps(), makeRoom(change), 250);
    all.push(...claimed);
    if (!more) return all;
  }
};

/** How many posts of each webhook are under way when these are. */
const busyWith = (claimed: ClaimedDelivery[]): Room['busy'] =>
  Object.fromEntries(
    [...Map.groupBy(claimed, ({ webhook_id }) => webhook_id)].map(([id, ofHook]) => [
      id,
      {
        fresh: ofHook.filter(({ is_retry }) => !is_retry).length,
        retry: ofHook.filter(({ is_retry }) => is_retry).length,
      },
    ]),
  );

describe('following the log', () => {
  test('makes one delivery of each event for each webhook that wants it, while many processes and writers race', async () => {
    const hooks = [
      await desk.webhook(),
      await desk.webhook(),
      await desk.webhook({ events: ['message.received', 'message.bounced'] }),
    ];
    await desk.webhook({ events: ['message.bounced'] });
    await desk.webhook({ enabled: false });
    const written: string[] = [];
    let writing = true;
    const follow = async () => {
      const claimed: ClaimedDelivery[] = [];
      while (writing) {
        await sequenceEvents(desk.database);
        claimed.push(...(await fanOutEvents(desk.deps(), makeRoom(), 250)).claimed);
      }
      return claimed;
    };
    const write20 = async () => {
      for (let turn = 0; turn < 20; turn++) written.push(...(await desk.write(3)));
    };
    const followers = Promise.all([follow(), follow(), follow()]);
    await Promise.all([write20(), write20(), write20()]);
    writing = false;
    const claimed = (await followers).flat();
    await order();
    claimed.push(...(await fanOutAll()));
    const { rows } = await desk.query('select webhook_id, event_id from webhook_deliveries');
    const pairs = rows.map(({ webhook_id, event_id }) => `${webhook_id} ${event_id}`).sort();
    expect(pairs).toEqual(hooks.flatMap((hook) => written.map((event) => `${hook} ${event}`)).sort());
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(claimed.length);
  });

  test('goes on where it stood when the transaction is lost, and makes nothing twice', async () => {
    const hook = await desk.webhook();
    await desk.write(3);
    await order();
    const client = await desk.database.pool.connect();
    await client.query('begin');
    await client.query('select fan_out_events($1::jsonb)', [
      JSON.stringify({
        ...makeRoom(),
        follower: 'webhooks',
        most: 10,
        at: new Date(desk.now()),
        lease_end: new Date(desk.now()),
      }),
    ]);
    await client.query('rollback');
    client.release();
    expect(await fanOutAll()).toHaveLength(3);
    expect(await fanOutAll()).toEqual([]);
    expect((await desk.query('select from webhook_deliveries where webhook_id = $1', [hook])).rowCount).toBe(
      3,
    );
  });

  test('skips what happened before the webhook, and events of deleted inboxes', async () => {
    const before = await desk.write(2);
    await desk.webhook();
    const after = await desk.write(2);
    await desk.write(2, await desk.deletedInbox());
    await order();
    const claimed = await fanOutAll();
    expect(claimed.map(({ event_id }) => event_id)).toEqual(after);
    expect(before).toHaveLength(2);
  });

  test('claims as many as there is room for, of each webhook and in all, and leaves the rest in the queue', async () => {
    const [busy, free] = [await desk.webhook(), await desk.webhook({ failing: true })];
    await desk.write(20);
    await order();
    const claimed = await fanOutAll({ fresh_max: 10, failing_max: 2, busy: { [busy]: { fresh: 7 } } });
    const of = (id: string) => claimed.filter(({ webhook_id }) => webhook_id === id).length;
    expect([of(busy), of(free)]).toEqual([3, 2]);
    const due = await claimDeliveries(desk.deps(), makeRoom({ free: 10, fresh_max: 100, failing_max: 100 }));
    expect([due.claimed.length, due.crowded]).toEqual([10, true]);
  });
});

describe('the deletion of a webhook', () => {
  test('that is not committed yet lets nobody make deliveries that nobody would remove', async () => {
    const hook = await desk.webhook();
    await desk.write(2);
    await order();
    const client = await desk.database.pool.connect();
    await client.query('begin');
    await client.query('delete from webhooks where id = $1', [hook]);
    const fannedOut = fanOutAll();
    await setTimeout(20);
    await client.query('commit');
    client.release();
    expect(await fannedOut).toEqual([]);
    expect((await desk.query('select from webhook_deliveries')).rowCount).toBe(0);
  });
});

/** How many rows and entries of indexes the database looks at for one claim, which is then undone. */
const rowsReadToClaim = async (): Promise<number> => {
  const client = await desk.database.pool.connect();
  // Earlier reads of this connection must not be counted with it.
  await client.query('select pg_stat_force_next_flush()');
  await client.query('begin');
  await client.query('select claim_deliveries($1::jsonb)', [
    JSON.stringify({ ...makeRoom(), at: new Date(desk.now()), lease_end: new Date(desk.now()) }),
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
    const hook = await desk.webhook();
    await desk.queue(hook, 300);
    const takeAll = async () => {
      const all: ClaimedDelivery[] = [];
      for (let misses = 0; misses < 3; ) {
        const { claimed } = await claimDeliveries(desk.deps(), makeRoom({ retry_max: 7 }));
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
      const hooks = [
        await desk.webhook(),
        await desk.webhook({ failing: true }),
        await desk.webhook(),
        await desk.webhook(),
      ];
      const many = 100_000;
      // Rows that other tests deleted stay in the index until then.
      await desk.query('vacuum webhook_deliveries');
      for (const [index, hook] of hooks.slice(0, 2).entries()) {
        if (index === known) await desk.query('analyze webhook_deliveries');
        await desk.queue(hook, many);
      }
      if (known === 2) await desk.query('analyze webhook_deliveries');
      await desk.queue(hooks[2]!, 5);
      await desk.queue(`${hooks[2]!}z`, 1_500);
      await desk.queue(hooks[3]!, 5, { retry: false });
      const readRows = await rowsReadToClaim();
      expect(readRows).toBeGreaterThan(0);
      expect(readRows).toBeLessThan(many / 2);
      const claimed: ClaimedDelivery[] = [];
      let taken: Due;
      do {
        taken = await claimDeliveries(desk.deps(), makeRoom({ busy: busyWith(claimed) }));
        claimed.push(...taken.claimed);
      } while (taken.more);
      const counts = hooks.map((hook) => claimed.filter(({ webhook_id }) => webhook_id === hook).length);
      expect(counts).toEqual([128, 2, 5, 5]);
      expect(taken.crowded).toBe(true);
    },
  );

  test('is claimed some at a time, and it is told that there may be more', async () => {
    const hook = await desk.webhook();
    await desk.queue(hook, 15);
    const take = () => claimDeliveries(desk.deps(), makeRoom({ deliveries_max: 7 }));
    const counts = [];
    for (let turn = 0; turn < 3; turn++) {
      const { claimed, more } = await take();
      counts.push([claimed.length, more]);
    }
    expect(counts).toEqual([
      [7, true],
      [7, true],
      [1, false],
    ]);
  });

  test('is the oldest first; first attempts and retries have room of their own', async () => {
    const hook = await desk.webhook();
    await desk.queue(hook, 30);
    await desk.query(
      `update webhook_deliveries set is_retry = false, id = id || 'f' where event_id > 'evt2'`,
    );
    await desk.query(
      `update webhook_deliveries set due_at = due_at - interval '1 hour' where event_id = 'evt19'`,
    );
    const { claimed } = await claimDeliveries(desk.deps(), makeRoom({ fresh_max: 3, retry_max: 1 }));
    expect(claimed.filter(({ is_retry }) => !is_retry)).toHaveLength(3);
    expect(claimed.filter(({ is_retry }) => is_retry).map(({ event_id }) => event_id)).toEqual(['evt19']);
  });

  test('is not posted where it is a sample, which its own process posts or nobody', async () => {
    const hook = await desk.webhook();
    await desk.queue(hook, 2);
    await desk.query(`update webhook_deliveries set origin = 'sample' where event_id = 'evt1'`);
    const { claimed } = await claimDeliveries(desk.deps(), makeRoom());
    expect(claimed.map(({ event_id }) => event_id)).toEqual(['evt2']);
    const { rows } = await desk.query(`select event_id from webhook_deliveries where status = 'failed'`);
    expect(rows).toEqual([{ event_id: 'evt1' }]);
  });

  test('is claimed at once where some that are cancelled took its room', async () => {
    const hook = await desk.webhook({ failing: true });
    await desk.queue(hook, 4);
    await desk.query(
      `update webhook_deliveries set origin = 'sample', due_at = due_at - interval '1 hour' where event_id in ('evt1', 'evt2')`,
    );
    const claimed: ClaimedDelivery[] = [];
    for (let more = true; more; ) {
      const due = await claimDeliveries(desk.deps(), makeRoom({ busy: busyWith(claimed) }));
      claimed.push(...due.claimed);
      more = due.more;
    }
    expect(claimed.map(({ event_id }) => event_id).sort()).toEqual(['evt3', 'evt4']);
  });

  test('later is told, so that nobody has to look before', async () => {
    const at = new Date(desk.now() + 60_000);
    await desk.queue(await desk.webhook(), 2, { dueAt: at });
    await desk.queue(await desk.webhook(), 2, { dueAt: new Date(desk.now() + 90_000) });
    expect(await claimDeliveries(desk.deps(), makeRoom())).toEqual({
      claimed: [],
      crowded: false,
      more: false,
      nextAt: at,
    });
  });

  test('for a webhook that was deleted or stopped is cancelled', async () => {
    const stopped = await desk.webhook({ enabled: false });
    await desk.queue(stopped, 3);
    await desk.queue(newId('whk'), 3);
    expect((await claimDeliveries(desk.deps(), makeRoom())).claimed).toEqual([]);
    const { rows } = await desk.query('select distinct status, due_at, next_at from webhook_deliveries');
    expect(rows).toEqual([{ status: 'failed', due_at: null, next_at: null }]);
  });
});
