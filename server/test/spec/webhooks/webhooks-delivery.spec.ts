import { createHmac } from 'node:crypto';
import { limits } from '@postrider/contract';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import {
  makeLocalCertificate,
  type ReceivedRequest,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@postrider/testkit/servers/webhook-receiver.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Event } from 'postrider';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deliveryLease } from '../../../src/webhooks/posting/post-delivery.ts';
import { postWaits } from '../../../src/webhooks/posting/post-event.ts';

const usual = { post: { ...postWaits }, lease: { ...deliveryLease } };
/** At this scale a receiver has a second, which one on a busy machine may need. */
const patientMs = 300_000;
let server: TestServer;
let owner: TestWorkspace;
let receiver: WebhookReceiver;

beforeAll(async () => {
  // The waits of the schedule become 25 ms to 7 minutes.
  server = await startTestServer({ env: { POSTRIDER_TIME_SCALE: '200' } });
  receiver = await startWebhookReceiver();
  deliveryLease.leastMs = 2 * patientMs;
});

afterAll(async () => {
  Object.assign(postWaits, usual.post);
  Object.assign(deliveryLease, usual.lease);
  await server.stop();
  await receiver.close();
});

beforeEach(async () => {
  postWaits.leastMs = patientMs;
  owner = await server.workspace();
});
afterEach(() => receiver.reset());

const create = (events: Event['event'][] = ['message.received'], url = receiver.url) =>
  owner.client.webhooks.create({ url, events });

const mailTo = (address: string, subject = 'The plan') =>
  sendMail(server.smtpPort, { from: 'ada@remote.example', to: address, subject, text: 'Is it sound?' });

/** Makes an inbox and lets it receive so many mails. */
const receive = async (count = 1) => {
  const inbox = await server.inbox(owner);
  for (let index = 0; index < count; index++) await mailTo(inbox.address, `Mail ${index}`);
  return inbox;
};

const deliveriesOf = async (id: string) => (await owner.client.webhooks.deliveries(id)).deliveries;

const delivered = (id: string) =>
  eventually('the delivery to end', async () => {
    const [delivery] = await deliveriesOf(id);
    return delivery && delivery.status !== 'pending' && delivery;
  });

describe('a delivery', () => {
  test('Events 1: is a POST of the event as the log has it, with the message and fresh links of its files', async () => {
    await create();
    const inbox = await server.inbox(owner);
    const attachments = [{ filename: 'plan.txt', content: 'A plan.' }];
    await sendMail(server.smtpPort, {
      from: 'ada@remote.example',
      to: inbox.address,
      subject: 'Hi',
      text: 'Hi',
      attachments,
    });
    const [request] = await receiver.waitFor(1);
    expect(request).toMatchObject({ method: 'POST', path: '/hooks' });
    const [event] = (await owner.client.events.list()).events;
    const withoutLinks = (value: unknown) =>
      JSON.parse(JSON.stringify(value, (key, part) => (['url', 'expires_at'].includes(key) ? '' : part)));
    expect(withoutLinks(request?.event)).toEqual(withoutLinks(event));
    const message = request?.event.message as Extract<Event, { event: 'message.received' }>['message'];
    expect(message).toMatchObject({ subject: 'Hi', body_text: 'Hi', inbox_id: inbox.id });
    expect(await (await fetch(message?.attachments[0]?.url ?? '')).text()).toBe('A plan.');
  });

  test('Events 2: x-postrider-event names the kind', async () => {
    await create();
    await receive();
    const [request] = await receiver.waitFor(1);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-postrider-event': 'message.received',
      'x-postrider-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      'user-agent': expect.stringContaining('Webhooks'),
    });
  });

  test('Events 3: x-postrider-signature is of the raw bytes, keyed with the whole secret', async () => {
    const { secret } = await create();
    await receive();
    const [request] = await receiver.waitFor(1);
    const expected = createHmac('sha256', secret)
      .update(request?.body ?? '')
      .digest('hex');
    expect(request?.headers['x-postrider-signature']).toBe(`sha256=${expected}`);
  });

  test('Authentication 7: a delivery is told by its signature and holds no key', async () => {
    const { secret } = await create();
    await receive();
    const [request] = await receiver.waitFor(1);
    expect(request?.headers.authorization).toBeUndefined();
    const text = JSON.stringify(request?.headers) + request?.body;
    for (const hidden of [owner.key, secret]) expect(text).not.toContain(hidden);
  });

  test('Interface 5: webhook-id, webhook-timestamp and webhook-signature satisfy a stock verifier', async () => {
    const { secret } = await create();
    await receive();
    const [request] = await receiver.waitFor(1);
    const { headers, body, event } = request as ReceivedRequest;
    expect(headers['webhook-id']).toBe(event.id);
    expect(new StandardWebhook(secret).verify(body, headers)).toEqual(event);
    expect(() => new StandardWebhook(secret).verify(`${body} `, headers)).toThrow();
  });

  test('Interface 5: for 24 hours after a rotation webhook-signature is by both secrets, x-postrider-signature by the new one', async () => {
    const { id, secret: old } = await create();
    const { secret } = await owner.client.webhooks.rotateSecret(id);
    expect(secret).not.toBe(old);
    await receive();
    const [request] = await receiver.waitFor(1);
    const { headers, body } = request as ReceivedRequest;
    for (const each of [old, secret]) new StandardWebhook(each).verify(body, headers);
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    const expected = createHmac('sha256', secret).update(body).digest('hex');
    expect(headers['x-postrider-signature']).toBe(`sha256=${expected}`);
    await server.rows('update webhooks set previous_secret_until = $1 where id = $2', [new Date(), id]);
    await receive();
    const later = (await receiver.waitFor(2))[1];
    expect(later?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
    new StandardWebhook(secret).verify(later?.body ?? '', later?.headers ?? {});
  });

  test('Events message.received, Events message.delivered: message.delivered goes to who asked for it, and other kinds do not', async () => {
    await create(['message.delivered']);
    const inbox = await server.inbox(owner);
    await owner.client.messages.send({
      inbox_id: inbox.id,
      to: ['bob@remote.example', 'success+bob@simulator.postrider.test'],
      subject: 'Hi',
      text: 'Hi',
    });
    await receive();
    const requests = await receiver.waitFor(1);
    expect(requests.map(({ event }) => [event.event, event.recipient])).toEqual([
      ['message.delivered', 'success+bob@simulator.postrider.test'],
    ]);
  });

  test('goes to each webhook of the workspace that wants it, once, and to no other workspace', async () => {
    const hooks = [
      await create(),
      await create(['message.received', 'message.bounced']),
      await create(['message.bounced']),
    ];
    const other = await server.workspace();
    await other.client.webhooks.create({ url: receiver.url, events: ['message.received'] });
    const stopped = await create();
    await owner.client.webhooks.update(stopped.id, { enabled: false });
    await receive(3);
    await receiver.waitFor(6);
    const counts = await Promise.all(
      [...hooks, stopped].map(async ({ id }) => (await deliveriesOf(id)).length),
    );
    expect(counts).toEqual([3, 3, 0, 0]);
    expect(receiver.requests).toHaveLength(6);
  });

  test('is not made of what happened before the webhook was created', async () => {
    await receive(2);
    const { id } = await create();
    await receive();
    await receiver.waitFor(1);
    expect(await deliveriesOf(id)).toHaveLength(1);
  });
});

describe('retries', () => {
  test.each([
    ['500', 500, { status_code: 500, error: null }],
    ['301', { status: 301, headers: { location: 'http://127.0.0.1:1/' } }, { status_code: 301, error: null }],
    ['404', 404, { status_code: 404, error: null }],
    ['410', 410, { status_code: 410, error: null }],
    ['a reset', 'reset', { status_code: null, error: 'connection reset' }],
    [
      'a body that is cut',
      'cut body',
      { status_code: 200, error: 'connection closed before the answer was whole' },
    ],
    ['what is not HTTP', 'garbage', { status_code: null, error: 'the answer is not HTTP' }],
    ['silence', 'hang', { status_code: null, error: 'timeout after 10 s' }],
    ['a slow drip', 'slow drip', { status_code: 200, error: 'timeout after 10 s' }],
  ] as const)(
    'Events 4: %s is tried again until it is taken, under the same id with a new timestamp',
    async (_what, answer, attempt) => {
      const { id, secret } = await create();
      receiver.next(answer, answer);
      if (attempt.error?.startsWith('timeout')) postWaits.leastMs = 4_000;
      await receive();
      await receiver.waitFor(2);
      postWaits.leastMs = patientMs;
      const requests = await receiver.waitFor(3);
      const delivery = await delivered(id);
      expect(delivery).toMatchObject({ status: 'succeeded', next_attempt_at: null });
      expect(delivery.attempts).toMatchObject([attempt, attempt, { status_code: 204, error: null }]);
      expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(
        new Set([delivery.event_id]),
      );
      for (const { body, headers } of requests) new StandardWebhook(secret).verify(body, headers);
    },
  );

  test('Events 4: a certificate that nobody vouches for is a failure', async () => {
    const tls = await startWebhookReceiver(makeLocalCertificate());
    const { id } = await create(['message.received'], tls.url);
    const { status, attempts } = await owner.client.webhooks.test(id);
    expect([status, attempts[0]?.error]).toEqual(['failed', expect.stringMatching(/^TLS: /)]);
    expect(tls.requests).toEqual([]);
    await tls.close();
  });

  test('a secret that cannot be read fails the attempt and is replaced by a rotation', async () => {
    const { id } = await create();
    await server.rows("update webhooks set secret = 'other.' || secret where id = $1", [id]);
    const bad = await owner.client.webhooks.test(id);
    expect(bad).toMatchObject({ status: 'failed', attempts: [{ error: expect.stringContaining('rotate') }] });
    await owner.client.webhooks.rotateSecret(id);
    expect((await owner.client.webhooks.test(id)).status).toBe('succeeded');
    expect(receiver.requests).toHaveLength(1);
  });

  test('Interface 5: Retry-After is waited for', async () => {
    const { id } = await create();
    // A minute is 300 ms here, and the first wait of the schedule 25.
    receiver.next({ status: 503, headers: { 'retry-after': '60' } });
    await receive();
    const [first, second] = await receiver.waitFor(2);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(295);
    await delivered(id);
  });

  test('Interface 5: at most 64 KiB of the answer are read', async () => {
    const { id } = await create();
    receiver.next({ status: 200, body: Buffer.alloc(50 * limits.webhookAnswerBytesMax) });
    await receive();
    expect(await delivered(id)).toMatchObject({
      status: 'succeeded',
      attempts: [{ status_code: 200, error: null }],
    });
  });
});
