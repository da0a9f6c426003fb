import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@postrider/contract';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { actorOf, type Context } from '../../../src/context.ts';
import { removeExpired } from '../../../src/jobs/remove-expired.ts';
import { wholeWorkspace } from '../../../src/lib/scope.ts';
import { redeliver, testWebhook } from '../../../src/webhooks/deliver-manually.ts';

const clock = createMovingClock();
let server: TestServer;
let owner: TestWorkspace;
let receiver: WebhookReceiver;

beforeAll(async () => {
  server = await startTestServer({ clock });
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await server.stop();
  await receiver.close();
});
beforeEach(async () => {
  owner = await server.workspace();
});
afterEach(() => {
  clock.goOn();
  receiver.reset();
});

const create = (url = receiver.url) => owner.client.webhooks.create({ url, events: ['message.received'] });

const receive = async (count = 1, inbox?: { address: string; id: string }) => {
  const target = inbox ?? (await server.inbox(owner));
  for (let index = 0; index < count; index++)
    await sendMail(server.smtpPort, {
      from: 'ada@remote.example',
      to: target.address,
      subject: `Mail ${index}`,
      text: 'Hi',
    });
  return target;
};

const deliveriesOf = async (id: string) => (await owner.client.webhooks.deliveries(id)).deliveries;
const statusesOf = async (id: string) => (await deliveriesOf(id)).map(({ status }) => status);

const eventuallyAll = (id: string, status: string, count: number) =>
  eventually(`${count} deliveries ${status}`, async () => {
    const statuses = await statusesOf(id);
    return statuses.length === count && statuses.every((each) => each === status);
  });

/** Returns the context of a request of the owner. */
const contextOfOwner = (): Context => ({
  ...server.server.deps,
  workspaceId: owner.id,
  plan: 'business',
  isTest: false,
  scope: wholeWorkspace,
  actor: actorOf(owner.keyId),
  requestId: null,
});

/** Runs `work` while no process follows the log, as where all are busy. */
const withLogHeld = async (work: () => Promise<unknown>) => {
  const client = await server.server.deps.database.pool.connect();
  await client.query('begin');
  await client.query(`select from event_followers where name = 'webhooks' for update`);
  await work().finally(async () => {
    await client.query('rollback');
    client.release();
  });
};

/** Waits for longer than anything that is under way could need. */
const quiet = () => sleep(300);

describe('the end of deliveries', () => {
  test('Webhooks DELETE /webhooks/{id}: nothing is sent after the 204, also of what was under way or due for a retry', async () => {
    const { id } = await create();
    receiver.next(500, 500, 'hang', 'hang', 'hang');
    const inbox = await receive(5);
    await receiver.waitFor(5);
    const mails = Promise.all([receive(5, inbox), receive(5, inbox)]);
    await owner.client.webhooks.delete(id);
    await eventually('what was under way to be cut', async () => receiver.open() === 0);
    const before = receiver.requests.length;
    await mails;
    clock.advance(10_000);
    await quiet();
    expect(receiver.requests.length).toBe(before);
    expect(receiver.open()).toBe(0);
    await eventually('its rows to be removed', async () => {
      const rows = await server.rows('select from webhook_deliveries where webhook_id = $1', [id]);
      return rows.length === 0;
    });
  });

  test('Webhook enabled: stopping one cancels what is pending, starting it again brings new events only', async () => {
    clock.stop();
    const { id } = await create();
    receiver.always(500);
    const inbox = await receive(2);
    await receiver.waitFor(2);
    await owner.client.webhooks.update(id, { enabled: false });
    expect(await deliveriesOf(id)).toMatchObject([
      { status: 'failed', next_attempt_at: null },
      { status: 'failed', next_attempt_at: null },
    ]);
    await withLogHeld(async () => {
      await receive(1, inbox);
      clock.advance(10_000);
      await quiet();
      expect(receiver.requests).toHaveLength(2);
      receiver.always(204);
      await owner.client.webhooks.update(id, { enabled: true });
    });
    await receive(1, inbox);
    await receiver.waitFor(3);
    expect(await statusesOf(id)).toHaveLength(3);
  });

  test('Inboxes DELETE /inboxes/{id}: cancels the pending deliveries of its events, and of no others', async () => {
    clock.stop();
    const { id } = await create();
    receiver.always(500);
    const gone = await receive(2);
    const kept = await receive(1);
    await receiver.waitFor(3);
    await eventually('the attempts to be noted', async () =>
      (await deliveriesOf(id)).every(({ attempts }) => attempts.length === 1),
    );
    await owner.client.inboxes.delete(gone.id);
    receiver.always(204);
    clock.advance(10_000);
    await eventually('the other one to succeed', async () => (await statusesOf(id)).includes('succeeded'));
    await quiet();
    expect((await statusesOf(id)).sort()).toEqual(['failed', 'failed', 'succeeded']);
    expect(receiver.requests.slice(3).map(({ event }) => event.inbox_id)).toEqual([kept.id]);
  });

  test('Interface 5: a delivery that fails 8 times has failed, and is listed with each attempt', async () => {
    const { id } = await create();
    receiver.always(500);
    await receive();
    for (const [index, delayMs] of limits.webhookRetryDelaysMs.entries()) {
      if (index > 0) clock.advance(delayMs * 1.1);
      const [delivery] = await eventually(`attempt ${index + 1}`, async () => {
        const found = await deliveriesOf(id);
        return found[0]?.attempts.length === index + 1 && found;
      });
      const isLast = index + 1 === limits.webhookRetryDelaysMs.length;
      expect(delivery).toMatchObject({ status: isLast ? 'failed' : 'pending' });
      expect(delivery?.next_attempt_at === null).toBe(isLast);
      const next = limits.webhookRetryDelaysMs[index + 1] ?? 0;
      const endMs =
        Date.parse(delivery?.attempts.at(-1)?.at ?? '') + (delivery?.attempts.at(-1)?.duration_ms ?? 0);
      if (isLast) continue;
      const dueMs = Date.parse(delivery?.next_attempt_at ?? '');
      // The wait is give or take a tenth, and began between the end of the attempt and now.
      expect(dueMs).toBeGreaterThanOrEqual(endMs + 0.9 * next - 1);
      expect(dueMs).toBeLessThanOrEqual(clock.now().getTime() + 1.1 * next + 1);
    }
    clock.advance(100 * 3_600_000);
    await quiet();
    expect(receiver.requests).toHaveLength(8);
    expect((await owner.client.webhooks.get(id)).enabled).toBe(true);
  });

  test('Interface 5: deliveries go with their events, after 30 days', async () => {
    const { id } = await create();
    await receive(2);
    await eventuallyAll(id, 'succeeded', 2);
    await removeExpired(server.server.deps).run({});
    expect(await deliveriesOf(id)).toHaveLength(2);
    clock.advance(limits.eventsKeptMs + 60_000);
    await receive(1);
    await eventually('the new one', async () => (await deliveriesOf(id)).length === 3);
    const old = (await deliveriesOf(id)).at(-1)?.id ?? '';
    await removeExpired(server.server.deps).run({});
    expect(await deliveriesOf(id)).toHaveLength(1);
    await catchApiError(owner.client.deliveries.redeliver(old), 'not_found');
  });
});

describe('deliveries that are asked for', () => {
  test('Interface 4: POST /webhooks/{id}/test posts a signed sample once and answers its delivery', async () => {
    const { id } = await create();
    await owner.client.webhooks.update(id, { enabled: false });
    const good = await owner.client.webhooks.test(id);
    expect(good).toMatchObject({
      webhook_id: id,
      event: 'message.received',
      status: 'succeeded',
      next_attempt_at: null,
      attempts: [{ status_code: 204, error: null }],
    });
    receiver.next(500);
    const bad = await owner.client.webhooks.test(id);
    expect(bad).toMatchObject({ status: 'failed', next_attempt_at: null, attempts: [{ status_code: 500 }] });
    const [first, second] = receiver.requests;
    expect(first?.headers['webhook-id']).toBe(good.event_id);
    expect(first?.event).toMatchObject({
      id: good.event_id,
      event: 'message.received',
      workspace_id: owner.id,
    });
    expect(second?.event.id).toBe(bad.event_id);
    expect((await deliveriesOf(id)).map((delivery) => delivery.id)).toEqual([bad.id, good.id]);
    expect((await owner.client.events.list()).events).toEqual([]);
  });

  test('Interface 4: POST /deliveries/{id}/redeliver posts the same event again and answers the new delivery', async () => {
    const { id } = await create();
    const inbox = await receive();
    await eventuallyAll(id, 'succeeded', 1);
    const [first] = await deliveriesOf(id);
    const again = await owner.client.deliveries.redeliver(first?.id ?? '');
    expect(again).toMatchObject({ status: 'succeeded', event_id: first?.event_id, webhook_id: id });
    expect(again.id).not.toBe(first?.id);
    expect(receiver.requests.map(({ event }) => event.id)).toEqual([first?.event_id, first?.event_id]);
    receiver.next(500);
    const failed = await owner.client.deliveries.redeliver(again.id);
    expect(failed).toMatchObject({
      status: 'pending',
      attempts: [{ status_code: 500 }],
      next_attempt_at: expect.any(String),
    });
    clock.advance(10_000);
    await eventuallyAll(id, 'succeeded', 3);
    await owner.client.inboxes.delete(inbox.id);
    await owner.client.deliveries.redeliver(again.id);
    expect(receiver.requests.at(-1)?.event).toMatchObject({ id: first?.event_id, message: null });
    const other = await server.workspace();
    await catchApiError(other.client.deliveries.redeliver(again.id), 'not_found');
  });

  test('Interface 4: at most 10 tests and redeliveries of a workspace are under way, one more is 409 limit_reached', async () => {
    const { id } = await create();
    receiver.always('hang');
    const most = limits.deliveriesByHandPerWorkspaceMax;
    const asked = Array.from({ length: most }, () => owner.client.webhooks.test(id).catch(() => null));
    await receiver.waitFor(most);
    expect(await catchApiError(owner.client.webhooks.test(id), 'limit_reached')).toMatchObject({
      limit: most,
    });
    await owner.client.webhooks.delete(id);
    await Promise.all(asked);
    receiver.always(204);
    const other = await create();
    expect(await owner.client.webhooks.test(other.id)).toMatchObject({ status: 'succeeded' });
  });

  test('are answered at once by a server that stops: a sample has failed, an event is tried by another process', async () => {
    const { id } = await create();
    await receive();
    await eventuallyAll(id, 'succeeded', 1);
    const [first] = await deliveriesOf(id);
    const stopping = new AbortController();
    const ctx = { ...contextOfOwner(), stopping: stopping.signal };
    receiver.next('hang', 'hang');
    const answers = Promise.all([testWebhook(ctx, id), redeliver(ctx, first?.id ?? '')]);
    await receiver.waitFor(3);
    stopping.abort();
    expect(await answers).toMatchObject([
      { status: 'failed', attempts: [] },
      { status: expect.stringMatching(/pending|succeeded/), event_id: first?.event_id },
    ]);
    await eventually(
      'the event',
      async () => (await statusesOf(id)).filter((each) => each === 'succeeded').length === 2,
    );
    expect(receiver.requests.filter(({ event }) => event.id === first?.event_id)).toHaveLength(3);
  });

  test('are a 404 and leave nothing behind where the deletion of the webhook comes first', async () => {
    const { id } = await create();
    const client = await server.server.deps.database.pool.connect();
    await client.query('begin');
    await client.query('delete from webhooks where id = $1', [id]);
    const asked = catchApiError(owner.client.webhooks.test(id), 'not_found');
    await sleep(100);
    await client.query('commit');
    client.release();
    await asked;
    expect(receiver.requests).toEqual([]);
    expect(await server.rows('select from webhook_deliveries where webhook_id = $1', [id])).toEqual([]);
  });

  test('Interface 2: deliveries are listed newest first, page by page', async () => {
    const { id } = await create();
    await receive(5);
    await eventuallyAll(id, 'succeeded', 5);
    const ids: string[] = [];
    for await (const delivery of owner.client.webhooks.deliveries(id, { limit: 2 })) ids.push(delivery.id);
    expect(ids).toHaveLength(5);
    expect(ids).toEqual(ids.toSorted().reverse());
  });
});

describe('receivers that are slow', () => {
  test('hold back nobody else, and get a bounded number of posts at once', async () => {
    const slow = await startWebhookReceiver();
    slow.always('hang');
    const { id } = await create(slow.url);
    await create();
    await receive(150);
    await receiver.waitFor(150);
    expect(slow.openMost()).toBeLessThanOrEqual(128);
    await owner.client.webhooks.delete(id);
    await slow.close();
  });
});
