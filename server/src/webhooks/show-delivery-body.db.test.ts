import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actorOf, type Context } from '../context.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { showDeliveryBody } from './delivery-body.ts';

let server: TestServer;
let receiver: WebhookReceiver;

beforeAll(async () => {
  server = await startTestServer();
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await server.stop();
  await receiver.close();
});

const makeContext = ({ id }: TestWorkspace): Context => ({
  ...server.server.deps,
  workspaceId: id,
  plan: 'business',
  isTest: false,
  scope: wholeWorkspace,
  actor: actorOf(null),
  requestId: null,
});

test('the body of a delivery is what was posted, with the message as it is now, and null without its event', async () => {
  const inbox = await server.inbox();
  const { id } = await server.client.webhooks.create({ url: receiver.url, events: ['message.received'] });
  await sendMail(server.smtpPort, {
    from: 'ada@example.com',
    to: inbox.address,
    subject: 'Hello',
    text: 'Hi',
  });
  const delivery = await eventually('the delivery', async () => {
    const { deliveries } = await server.client.webhooks.deliveries(id);
    return deliveries[0]?.status === 'succeeded' && deliveries[0];
  });
  const body = await showDeliveryBody(makeContext(server), delivery.id);
  expect(JSON.parse(body ?? '')).toEqual(JSON.parse(String(receiver.requests[0]?.body)));
  const messageId = JSON.parse(body ?? '').message.id;
  await server.client.messages.delete(messageId);
  expect(JSON.parse((await showDeliveryBody(makeContext(server), delivery.id)) ?? '').message).toBeNull();
  await server.rows('delete from events where id = $1', [delivery.event_id]);
  expect(await showDeliveryBody(makeContext(server), delivery.id)).toBeNull();
});

test('a test delivery shows a sample, and a delivery of another workspace is not found', async () => {
  const { id } = await server.client.webhooks.create({ url: receiver.url, events: ['message.received'] });
  const delivery = await server.client.webhooks.test(id);
  const body = JSON.parse((await showDeliveryBody(makeContext(server), delivery.id)) ?? '');
  expect(body).toMatchObject({ id: delivery.event_id, event: 'message.received', workspace_id: server.id });
  const other = makeContext(await server.workspace());
  for (const [ctx, unknown] of [
    [other, delivery.id],
    [makeContext(server), 'dlv_unknown'],
    [makeContext(server), 'a\0b'],
  ] as const)
    await expect(showDeliveryBody(ctx, unknown)).rejects.toMatchObject({ code: 'not_found' });
});
