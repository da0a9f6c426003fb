import { setTimeout as sleep } from 'node:timers/promises';
import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { readMailId, receiveMessage } from '@postrider/testkit/mail/received-message.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

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

const own = () => ({ ...server, client: owner.client });
const create = (more: object = {}) =>
  owner.client.webhooks.create({ url: receiver.url, events: ['message.received'], ...more });
const bodies = () =>
  receiver.requests.map(
    ({ body }) => JSON.parse(body.toString()) as { inbox_id: string; message: object | null },
  );

test('Webhook inbox_ids: only events of these inboxes are posted, and null is all', async () => {
  const [first, second] = [await server.inbox(owner), await server.inbox(owner)];
  const webhook = await create({ inbox_ids: [first.id, first.id] });
  expect(webhook.inbox_ids).toEqual([first.id]);
  await receiveMessage(own(), { inbox: second });
  await receiveMessage(own(), { inbox: first });
  await receiver.waitFor(1);
  await sleep(200);
  expect(bodies().map(({ inbox_id }) => inbox_id)).toEqual([first.id]);
  const { webhooks } = owner.client;
  expect((await webhooks.update(webhook.id, { inbox_ids: [second.id] })).inbox_ids).toEqual([second.id]);
  await receiveMessage(own(), { inbox: first });
  await receiveMessage(own(), { inbox: second });
  await receiver.waitFor(2);
  expect((await webhooks.update(webhook.id, { enabled: true })).inbox_ids).toEqual([second.id]);
  expect((await webhooks.update(webhook.id, { inbox_ids: null })).inbox_ids).toBeNull();
  await receiveMessage(own(), { inbox: first });
  await receiver.waitFor(3);
  expect(bodies().map(({ inbox_id }) => inbox_id)).toEqual([first.id, second.id, first.id]);
  expect((await webhooks.get(webhook.id)).inbox_ids).toBeNull();
  expect((await create()).inbox_ids).toBeNull();
});

test('Webhook inbox_ids: an unknown inbox is a 404 that names the field, none and too many are a 400', async () => {
  const foreign = await server.inbox();
  const error = await catchApiError(create({ inbox_ids: [foreign.id] }), 'not_found');
  expect(error).toMatchObject({ param: 'inbox_ids' });
  expect(await invalidFields(create({ inbox_ids: [] }))).toEqual(['inbox_ids']);
  const many = Array.from({ length: 101 }, (_, i) => `inb_${i}`);
  expect(await invalidFields(create({ inbox_ids: many }))).toEqual(['inbox_ids']);
  expect((await owner.client.webhooks.list()).webhooks).toEqual([]);
});

test('Webhook secret: the caller may give one, and posts are signed by it', async () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const webhook = await create({ secret });
  expect(webhook.secret).toBe(secret);
  await receiveMessage(own(), { inbox: await server.inbox(owner) });
  const [request] = await receiver.waitFor(1);
  const event = await owner.client.webhooks.unwrap(request?.body ?? '', request?.headers ?? {}, secret);
  expect(event.event).toBe('message.received');
  for (const bytes of [23, 65]) {
    const wrong = `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
    expect(await invalidFields(create({ secret: wrong }))).toEqual(['secret']);
  }
  const longest = `whsec_${Buffer.alloc(64, 7).toString('base64')}`;
  expect((await create({ secret: longest })).secret).toBe(longest);
  for (const wrong of [
    '',
    'whsec_',
    secret.slice(6),
    `${secret}=`,
    secret.replace('whsec', 'WHSEC'),
    'whsec_!!!!',
  ])
    expect([wrong, await invalidFields(create({ secret: wrong }))]).toEqual([wrong, ['secret']]);
});

test('Interface 4 DELETE /messages/{id}: posts that are due go out with message null', async () => {
  clock.stop();
  const webhook = await create();
  receiver.next(500);
  const message = await receiveMessage(own(), { inbox: await server.inbox(owner) });
  await receiver.waitFor(1);
  await owner.client.messages.delete(message.id);
  const [delivery] = (await owner.client.webhooks.deliveries(webhook.id)).deliveries;
  const again = await owner.client.deliveries.redeliver(delivery?.id ?? '');
  expect(again.status).toBe('succeeded');
  expect(bodies().at(-1)).toMatchObject({ inbox_id: message.inbox_id, message: null });
  clock.advance(10_000);
  await eventually(
    'the retry',
    async () =>
      receiver.requests.length >= 3 && bodies().every(({ message }, i) => i === 0 || message === null),
  );
});

test('Interface 4 DELETE /threads/{id}: what waits to be posted tells of messages that are gone', async () => {
  clock.stop();
  await create();
  receiver.next(500, 500);
  const inbox = await server.inbox(owner);
  const root = await receiveMessage(own(), { inbox });
  await receiveMessage(own(), { inbox, inReplyTo: readMailId(root) });
  await receiver.waitFor(2);
  await owner.client.threads.delete(root.thread_id);
  clock.advance(10_000);
  await receiver.waitFor(4);
  expect(
    bodies()
      .slice(2)
      .map(({ message }) => message),
  ).toEqual([null, null]);
});
