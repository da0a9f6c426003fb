import { inTwoTransactions } from '@postrider/testkit/database/two-transactions.ts';
import { makeRoom, openWebhookQueue, type WebhookQueue } from '@postrider/testkit/database/webhook-queue.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Room } from '../../webhooks/posting/post-slots.ts';

let desk: WebhookQueue;

beforeAll(async () => {
  desk = await openWebhookQueue();
});
afterAll(() => desk.database.close());
beforeEach(() => desk.clear());

interface Claimed {
  id: string;
  webhook_id: string;
  event_id: string;
  attempted: number;
  fence: number;
  event: { id: string } | null;
}
const minute = 60_000;
const claimOrder = (change: Partial<Room>) => ({
  ...makeRoom(change),
  at: new Date(desk.now()),
  lease_end: new Date(desk.now() + minute),
});
const claimedIds = (claimed: Claimed[]) => claimed.map(({ id }) => id).toSorted();

describe('claimed_delivery', () => {
  const shown = async () =>
    (
      await desk.query(
        `select claimed_delivery(d, e) as value from webhook_deliveries d
          left join events e on e.workspace_id = d.workspace_id and e.id = d.event_id`,
      )
    ).rows[0]?.value as Claimed;

  test('is a delivery with its number of attempts and its event', async () => {
    const webhook = await desk.webhook();
    await desk.queue(webhook, 1);
    const [event] = await desk.write(1);
    await desk.query(`update webhook_deliveries set event_id = $1, attempts = '[{}, {}]', fence = 3`, [
      event,
    ]);
    const row = (await desk.query('select * from webhook_deliveries')).rows[0];
    const claimed = await shown();
    expect(claimed).toMatchObject({ id: row?.id, webhook_id: webhook, event_id: event, origin: 'log' });
    expect(claimed).toMatchObject({
      attempted: 2,
      fence: 3,
      is_retry: true,
      event: { id: event, message_id: 'msg' },
    });
    // Neither the attempts nor the times of the queue are for the one who posts.
    expect(Object.keys(claimed)).toHaveLength(10);
  });

  test('has no event once that is no longer kept', async () => {
    await desk.queue(await desk.webhook(), 1);
    expect(await shown()).toMatchObject({ attempted: 0, event: null });
  });
});

describe('claim_deliveries', () => {
  const call = 'select claim_deliveries($1) as value';
  const claim = async (change: Partial<Room> = {}) =>
    (await desk.query(call, [claimOrder(change)])).rows[0]?.value as {
      claimed: Claimed[];
      crowded: boolean;
      more: boolean;
      next_at: string | null;
    };

  test('claims nothing of an empty queue, and says when the next delivery is due', async () => {
    const nothing = { claimed: [], crowded: false, more: false, next_at: null };
    expect(await claim()).toEqual(nothing);
    const dueAt = new Date(desk.now() + minute);
    await desk.queue(await desk.webhook(), 1, { dueAt });
    const { next_at, ...rest } = await claim();
    expect([new Date(next_at ?? 0), rest]).toEqual([dueAt, { claimed: [], crowded: false, more: false }]);
  });

  test('claims a delivery once, until its lease ends', async () => {
    await desk.queue(await desk.webhook(), 2);
    const { claimed } = await claim();
    expect(claimed.map(({ fence }) => fence)).toEqual([1, 1]);
    expect((await claim()).claimed).toEqual([]);
    desk.advance(minute);
    expect((await claim()).claimed.map(({ fence }) => fence)).toEqual([2, 2]);
  });

  test('claims as many as there is room for', async () => {
    const hooks = [await desk.webhook(), await desk.webhook()];
    for (const hook of hooks) await desk.queue(hook, 3);
    expect(await claim({ free: 0 })).toMatchObject({ claimed: [], crowded: true });
    const { claimed, crowded } = await claim({ retry_max: 1 });
    expect([claimed.map(({ webhook_id }) => webhook_id).toSorted(), crowded]).toEqual([
      hooks.toSorted(),
      true,
    ]);
    expect(await claim({ deliveries_max: 3 })).toMatchObject({ more: true });
  });

  test('cancels what is due for a webhook that is stopped or gone', async () => {
    const [stopped, gone] = [await desk.webhook({ enabled: false }), await desk.webhook()];
    await desk.queue(stopped, 1);
    await desk.queue(gone, 1);
    await desk.query('delete from webhooks where id = $1', [gone]);
    expect((await claim()).claimed).toEqual([]);
    const { rows } = await desk.query('select status, due_at from webhook_deliveries');
    expect(rows).toEqual([0, 1].map(() => ({ status: 'failed', due_at: null })));
  });

  test('leaves to others what they are claiming', () =>
    inTwoTransactions(desk.database.pool, async (first, second) => {
      const webhook = await desk.webhook();
      await desk.queue(webhook, 3);
      const ids = (await desk.query('select id from webhook_deliveries order by id')).rows.map(
        ({ id }) => id,
      );
      const [one] = await first.rows<{ value: { claimed: Claimed[] } }>(call, [claimOrder({ retry_max: 1 })]);
      const [two] = await second.rows<{ value: { claimed: Claimed[] } }>(call, [claimOrder({})]);
      expect(one?.value.claimed).toHaveLength(1);
      expect(claimedIds([...(one?.value.claimed ?? []), ...(two?.value.claimed ?? [])])).toEqual(ids);
    }));
});

describe('fan_out_events', () => {
  const call = 'select fan_out_events($1) as value';
  const order = (change: Partial<Room> = {}, most = 10) => ({
    ...claimOrder(change),
    follower: 'webhooks',
    most,
  });
  const fanOut = async (change?: Partial<Room>, most?: number) =>
    (await desk.query(call, [order(change, most)])).rows[0]?.value as {
      claimed: Claimed[];
      waiting: number;
      looked_at: number;
      seen: number;
    };
  const write = async (count: number) => {
    const ids = await desk.write(count);
    await desk.query('select order_events(100)');
    return ids;
  };

  test('makes one delivery of each event for each webhook, with the event, and none a second time', async () => {
    const hooks = [await desk.webhook(), await desk.webhook(), await desk.webhook({ enabled: false })];
    const events = await write(2);
    const { claimed } = await fanOut();
    const made = claimed.map(({ webhook_id, event }) => `${webhook_id} ${event?.id}`);
    expect(made.toSorted()).toEqual(
      hooks
        .slice(0, 2)
        .flatMap((hook) => events.map((event) => `${hook} ${event}`))
        .toSorted(),
    );
    expect(await fanOut()).toMatchObject({ claimed: [], seen: 0 });
  });

  test('keeps events without room in the queue, and continues where it stopped', async () => {
    await desk.webhook();
    await write(3);
    expect(await fanOut({ fresh_max: 1 }, 2)).toMatchObject({ claimed: [{ fence: 1 }], waiting: 1, seen: 2 });
    expect(await fanOut({}, 2)).toMatchObject({ claimed: [{ fence: 1 }], waiting: 0, seen: 1 });
    expect((await desk.query('select from webhook_deliveries')).rows).toHaveLength(3);
  });

  test('passes by events that no enabled webhook can want, however many they are', async () => {
    const [stopped] = [await desk.webhook({ enabled: false }), await write(30)];
    expect(await fanOut({}, 2)).toMatchObject({ claimed: [], looked_at: 0, seen: 0 });
    await desk.query('update webhooks set enabled = true where id = $1', [stopped]);
    expect(await fanOut({}, 2)).toMatchObject({ claimed: [], seen: 0 });
    const events = await write(1);
    expect((await fanOut({}, 2)).claimed.map(({ event_id }) => event_id)).toEqual(events);
  });

  test('does nothing while another process does it', () =>
    inTwoTransactions(desk.database.pool, async (first, second) => {
      await desk.webhook();
      await write(1);
      expect(await first.rows(call, [order()])).toMatchObject([{ value: { seen: 1 } }]);
      expect(await second.rows(call, [order()])).toEqual([{ value: null }]);
    }));
});
