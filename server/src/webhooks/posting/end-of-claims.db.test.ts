import { limits } from '@postrider/contract';
import { makeRoom, openWebhookQueue, type WebhookQueue } from '@postrider/testkit/database/webhook-queue.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClaimedDelivery } from '../delivery.ts';
import { cancelDeliveries } from '../end-deliveries.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { giveBack, recordAttempt, stopFailing } from './record-attempt.ts';

const day = 24 * 3_600_000;
let desk: WebhookQueue;

beforeAll(async () => {
  desk = await openWebhookQueue();
});
afterAll(() => desk.database.close());
beforeEach(() => desk.clear());

describe('calling off', () => {
  test('ends where the webhook was enabled again, so that new events are not lost', async () => {
    const hook = await desk.webhook();
    await desk.queue(hook, 3);
    await cancelDeliveries(desk.deps(), hook);
    expect((await claimDeliveries(desk.deps(), makeRoom())).claimed).toHaveLength(3);
  });

  test('leaves what is being posted because somebody asked for it', async () => {
    const hook = await desk.webhook({ enabled: false });
    await desk.queue(hook, 4);
    await desk.query(`update webhook_deliveries set origin = 'sample' where event_id in ('evt1', 'evt2')`);
    await desk.query(
      `update webhook_deliveries set due_at = due_at + interval '1 minute' where event_id in ('evt1', 'evt3')`,
    );
    await cancelDeliveries(desk.deps(), hook);
    const { rows } = await desk.query(`select event_id from webhook_deliveries where status = 'pending'`);
    expect(rows).toEqual([{ event_id: 'evt1' }]);
  });
});

describe('a lease', () => {
  const claimOne = async () => {
    await desk.queue(await desk.webhook(), 1);
    const { claimed } = await claimDeliveries(desk.deps(), makeRoom());
    return claimed[0] as ClaimedDelivery;
  };
  const result = (status: 'succeeded' | 'failed' | 'pending', nextAt: Date | null = null) => ({
    attempt: { at: new Date(desk.now()).toISOString(), status_code: 204, error: null, duration_ms: 3 },
    status,
    nextAt,
  });

  test('runs out, and then another process has the delivery; what the first one notes does not count', async () => {
    const first = await claimOne();
    expect((await claimDeliveries(desk.deps(), makeRoom())).claimed).toEqual([]);
    desk.advance(limits.webhookTimeoutMs + 60_000);
    const [second] = (await claimDeliveries(desk.deps(), makeRoom())).claimed;
    expect(second).toMatchObject({ id: first.id, fence: first.fence + 1 });
    await recordAttempt(desk.deps(), first, result('failed'));
    expect(await desk.row(first.id)).toMatchObject({ status: 'pending', attempts: [] });
    await recordAttempt(desk.deps(), second as ClaimedDelivery, result('succeeded'));
    expect(await desk.row(first.id)).toMatchObject({
      status: 'succeeded',
      due_at: null,
      attempts: [{ status_code: 204 }],
    });
  });

  test('that is given back leaves the delivery as it was', async () => {
    const first = await claimOne();
    await giveBack(desk.deps(), first, 'pending');
    expect((await claimDeliveries(desk.deps(), makeRoom())).claimed).toMatchObject([
      { id: first.id, attempted: 0 },
    ]);
  });

  test('that is given back stops no webhook whose failure is noted at the same time', async () => {
    const [failing, other] = [await claimOne(), await claimOne()];
    await desk.query('update webhooks set failing_since = $1', [new Date(desk.now() - 1_000)]);
    await Promise.all([
      recordAttempt(desk.deps(), failing, result('pending', new Date(desk.now()))),
      giveBack(desk.deps(), other, 'pending'),
    ]);
    expect((await desk.query('select from webhooks where not enabled')).rowCount).toBe(0);
  });

  test('Interface 5: a webhook with nothing but failures for 5 days is stopped, and what is pending is cancelled', async () => {
    const first = await claimOne();
    const hook = first.webhook_id;
    const readState = async () => (await desk.query('select enabled, failing_since from webhooks')).rows[0];
    await recordAttempt(desk.deps(), first, result('pending', new Date(desk.now())));
    expect(await readState()).toEqual({ enabled: true, failing_since: new Date(desk.now()) });
    const next = async () => (await claimDeliveries(desk.deps(), makeRoom())).claimed[0] as ClaimedDelivery;
    await recordAttempt(desk.deps(), await next(), result('succeeded'));
    expect(await readState()).toEqual({ enabled: true, failing_since: null });
    await desk.query("update webhook_deliveries set status = 'pending', due_at = $1", [new Date(desk.now())]);
    await recordAttempt(desk.deps(), await next(), result('pending', new Date(desk.now())));
    desk.advance(5 * day - 1);
    await recordAttempt(desk.deps(), await next(), result('pending', new Date(desk.now())));
    // As if another process had found it failing, just before a delivery succeeded.
    await stopFailing(desk.deps(), first);
    expect(await readState()).toMatchObject({ enabled: true });
    desk.advance(1);
    await desk.query(
      'insert into webhook_deliveries select workspace_id, id || $1, webhook_id, event_id, event, inbox_id, origin, status, attempts, is_retry, fence, next_at, $2, created_at from webhook_deliveries',
      ['x', new Date(desk.now() + day)],
    );
    await recordAttempt(desk.deps(), await next(), result('pending', new Date(desk.now())));
    expect(await readState()).toMatchObject({ enabled: false });
    const { rows } = await desk.query('select status, due_at from webhook_deliveries where webhook_id = $1', [
      hook,
    ]);
    expect(rows).toEqual([
      { status: 'failed', due_at: null },
      { status: 'failed', due_at: null },
    ]);
    const noted = await desk.query('select actor_kind, action, target, after from audit_entries');
    expect(noted.rows).toEqual([
      {
        actor_kind: 'server',
        action: 'webhook.disabled',
        target: hook,
        after: { url: 'https://agent.invalid', enabled: false, failing_since: expect.any(String) },
      },
    ]);
  });
});
