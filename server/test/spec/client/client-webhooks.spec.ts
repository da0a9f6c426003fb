import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Event } from 'postrider';
import { expressWebhook } from 'postrider/webhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deliveryLease } from '../../../src/webhooks/posting/post-delivery.ts';
import { postWaits } from '../../../src/webhooks/posting/post-event.ts';

const usual = { post: { ...postWaits }, lease: { ...deliveryLease } };

let server: TestServer;
let receiver: Server;
let url: string;

/** The secret of the receiver, the events that it got, the errors that its next calls throw, and the statuses that it answered. */
let secret: string;
let got: Event[];
let failures: Error[];
let statuses: number[];

beforeAll(async () => {
  // The receiver is in this process, and may be slow.
  postWaits.leastMs = 300_000;
  deliveryLease.leastMs = 600_000;
  server = await startTestServer({
    env: { POSTRIDER_WEBHOOK_ALLOW_PRIVATE: 'true', POSTRIDER_TIME_SCALE: '20' },
  });
  const answer = expressWebhook(
    (event) => {
      const failure = failures.shift();
      if (failure) throw failure;
      got.push(event);
    },
    { secret: () => secret, onError: () => {} },
  );
  receiver = createServer(async (request, response) => {
    await answer(request, response);
    statuses.push(response.statusCode);
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
});
beforeEach(() => {
  [got, failures, statuses] = [[], [], []];
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await server.stop();
  Object.assign(postWaits, usual.post);
  Object.assign(deliveryLease, usual.lease);
});

const deliver = (to: string, subject: string) =>
  sendMail(server.smtpPort, { from: 'ada@example.com', to, subject, text: 'Grüße 🙂' });
const arrived = (count: number) => eventually(`${count} events`, async () => got.length >= count);

test('Events 3: a delivery of the server is verified by the client, and one whose handler failed comes again', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const webhook = await owner.client.webhooks.create({ url, events: ['message.received'] });
  secret = webhook.secret;
  failures = [new Error('not now')];
  await deliver(inbox.address, 'Grüße');
  await arrived(1);
  expect(statuses).toEqual([500, 204]);
  const { events } = await owner.client.events.list();
  const withoutLinks = (event: Event | undefined) => ({
    ...event,
    message: { ...event?.message, attachments: [] },
  });
  expect(withoutLinks(got[0])).toEqual(withoutLinks(events[0]));
  await owner.client.webhooks.delete(webhook.id);
});

test('Interface 5: after a rotation deliveries are verified by either secret, and by no other', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const { webhooks } = owner.client;
  const webhook = await webhooks.create({ url, events: ['message.received'] });
  const rotated = await webhooks.rotateSecret(webhook.id);
  for (const [index, known] of [webhook.secret, rotated.secret].entries()) {
    secret = known;
    await deliver(inbox.address, `mail ${index}`);
    await arrived(index + 1);
  }
  expect(statuses).toEqual([204, 204]);
  secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
  await deliver(inbox.address, 'refused');
  await eventually('a refusal', async () => statuses.length > 2);
  expect([got.length, statuses[2]]).toEqual([2, 400]);
  await webhooks.delete(webhook.id);
});

test('Interface 4 test: the sample is verified by the client too', async () => {
  const owner = await server.workspace();
  const webhook = await owner.client.webhooks.create({ url, events: ['message.bounced'] });
  secret = webhook.secret;
  const { event_id } = await owner.client.webhooks.test(webhook.id);
  await arrived(1);
  expect(got[0]).toMatchObject({ id: event_id, event: 'message.received' });
  await owner.client.webhooks.delete(webhook.id);
});
