import { openWebhookQueue, type WebhookQueue } from '@postrider/testkit/database/webhook-queue.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../lib/ids.ts';

let desk: WebhookQueue;

beforeAll(async () => {
  desk = await openWebhookQueue();
});
afterAll(() => desk.database.close());
beforeEach(() => desk.clear());

const one = async (expression: string, values: unknown[] = []) =>
  (await desk.query(`select ${expression} as value`, values)).rows[0]?.value;

describe('order_events', () => {
  const order = async (most: number | null) =>
    (await desk.query('select ordered, cardinality(workspaces) as workspaces from order_events($1)', [most]))
      .rows[0];
  const ordered = async () =>
    (await desk.query('select id from events where position is not null order by position')).rows.map(
      ({ id }) => id,
    );

  test('gives positions in the order of insertion, so many at a time', async () => {
    const ids = await desk.write(5);
    expect(await order(0)).toEqual({ ordered: 0, workspaces: 0 });
    expect(await order(3)).toEqual({ ordered: 3, workspaces: 1 });
    expect(await ordered()).toEqual(ids.slice(0, 3));
    expect(await order(3)).toEqual({ ordered: 2, workspaces: 1 });
    expect(await ordered()).toEqual(ids);
    expect(await order(3)).toEqual({ ordered: 0, workspaces: 0 });
  });

  test('says whether a webhook of one of the workspaces is enabled', async () => {
    const followed = async () => {
      await desk.write(1);
      return (await desk.query('select followed from order_events(9)')).rows[0]?.followed;
    };
    await desk.webhook({ enabled: false });
    expect(await followed()).toBe(false);
    await desk.webhook();
    expect(await followed()).toBe(true);
    expect((await desk.query('select followed from order_events(9)')).rows[0]?.followed).toBe(false);
  });

  test('orders nothing while another transaction does it', async () => {
    await desk.write(1);
    const other = await desk.database.pool.connect();
    try {
      await other.query('begin');
      await other.query('select * from order_events(0)');
      expect(await order(9)).toEqual({ ordered: 0, workspaces: 0 });
      await other.query('rollback');
      expect(await order(9)).toEqual({ ordered: 1, workspaces: 1 });
    } finally {
      other.release();
    }
  });
});

describe('record_attempts', () => {
  const day = 86_400_000;
  const at = () => new Date(desk.now()).toISOString();
  const record = (...items: object[]) =>
    one('record_attempts($1)', [{ at: at(), failing_from: new Date(desk.now() - day).toISOString(), items }]);

  /** A delivery that was claimed for the first time, as an item with what came of it. */
  const claimed = async (change: object = {}, hook: { failing?: boolean; enabled?: boolean } = {}) => {
    const webhook = await desk.webhook(hook);
    await desk.queue(webhook, 1);
    const { rows } = await desk.query(
      'update webhook_deliveries set fence = 1 where webhook_id = $1 returning workspace_id, id, webhook_id, fence',
      [webhook],
    );
    const attempt = { status: 500 };
    const item = { ...rows[0], attempt, status: 'pending', next_at: at(), counts: true, ...change };
    return { webhook, id: String(rows[0]?.id), item };
  };
  const readHook = async (id: string) =>
    (await desk.query('select enabled, failing_since from webhooks where id = $1', [id])).rows[0];

  test('takes no items, and those of deliveries and webhooks that are gone', async () => {
    expect(await record()).toEqual([]);
    expect(await one('record_attempts($1)', [{ at: at() }])).toEqual([]);
    const { item } = await claimed();
    expect(await record({ ...item, id: newId('dlv') })).toEqual([]);
    await desk.query('delete from webhooks');
    expect(await record(item)).toEqual([]);
  });

  test.each([
    ['another claimed since', { fence: 2 }],
    ['of another workspace', { workspace_id: newId('wsp') }],
  ])('changes nothing of a delivery that is %s', async (_, change) => {
    const { webhook, id, item } = await claimed();
    expect(await record({ ...item, ...change })).toEqual([]);
    expect(await desk.row(id)).toMatchObject({ attempts: [], status: 'pending' });
    expect(await readHook(webhook)).toEqual({ enabled: true, failing_since: null });
  });

  test('records an attempt once', async () => {
    const { id, item } = await claimed({ status: 'failed', next_at: null });
    await record(item);
    await record(item);
    expect(await desk.row(id)).toMatchObject({ attempts: [{ status: 500 }], status: 'failed', due_at: null });
  });

  test('without an attempt gives a delivery back as it was, or cancels it', async () => {
    const back = await claimed({ attempt: null });
    const { next_at } = (await desk.row(back.id)) ?? {};
    await record(back.item);
    expect(await desk.row(back.id)).toMatchObject({
      attempts: [],
      status: 'pending',
      next_at,
      due_at: next_at,
    });
    const off = await claimed({ attempt: null, status: 'failed' });
    await record(off.item);
    expect(await desk.row(off.id)).toMatchObject({
      attempts: [],
      status: 'failed',
      next_at: null,
      due_at: null,
    });
  });

  test('remembers since when a webhook fails, forgets it at a success, and returns it in time', async () => {
    const { webhook, item } = await claimed();
    expect(await record(item)).toEqual([]);
    expect((await readHook(webhook))?.failing_since).toEqual(new Date(desk.now()));
    await record({ ...item, status: 'succeeded', next_at: null });
    expect(await readHook(webhook)).toEqual({ enabled: true, failing_since: null });

    const failing = await claimed({ counts: false }, { failing: true });
    desk.advance(2 * day);
    expect(await record(failing.item)).toEqual([]);
    expect(await record({ ...failing.item, counts: true })).toEqual([failing.webhook]);
    await desk.query('update webhooks set enabled = false where id = $1', [failing.webhook]);
    expect(await record({ ...failing.item, counts: true })).toEqual([]);
  });
});

describe('rooms', () => {
  test.each([
    [{ fresh_max: 5 }, 'fresh', false, 5],
    [{ fresh_max: 5, busy: { w: { fresh: 2 } } }, 'fresh', false, 3],
    [{ retry_max: 4, busy: { w: { fresh: 2 } } }, 'retry', false, 4],
    [{ fresh_max: 5, failing_max: 1, busy: { w: { fresh: 2 } } }, 'fresh', true, -1],
    [{}, 'fresh', false, null],
  ])('webhook_room of %j for %s, failing %s, is %s', async (room, lane, failing, expected) => {
    expect(await one(`webhook_room($1, 'w', $2, $3)`, [room, lane, failing])).toBe(expected);
  });

  test.each([
    [{ free: 8 }, 8],
    [{ free: 8, workspace_share: 0.5 }, 4],
    [{ free: 8, workspace_share: 0.5, busy_workspaces: { w: 4 } }, 2],
    [{ free: 0, workspace_share: 0.5, busy_workspaces: { w: 4 } }, -2],
  ])('workspace_room of %j is %i', async (room, expected) => {
    expect(await one(`workspace_room($1, 'w')`, [room])).toBe(expected);
  });
});
