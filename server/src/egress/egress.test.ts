import { startWebhookReceiver, type WebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import { afterEach, expect, test } from 'vitest';
import { type Egress, openEgress } from './egress.ts';

let egress: Egress;
let receiver: WebhookReceiver;

afterEach(async () => {
  await egress.close();
  await receiver.close();
});

test('posts that hang keep none to the same host from going out', async () => {
  receiver = await startWebhookReceiver();
  egress = openEgress({ reach: 'private', resolve: async () => [] });
  receiver.always(({ path }) => (path === '/hang' ? 'hang' : 204));
  const post = (path: string) =>
    egress.post({
      url: new URL(path, receiver.url).href,
      headers: {},
      body: Buffer.from('{}'),
      timeoutMs: 300_000,
      timeoutError: 'timeout',
      answerBytesMax: 1_024,
    });
  const hanging = Array.from({ length: 200 }, () => post('/hang'));
  await receiver.waitFor(200);
  expect((await post('/answers').outcome).status).toBe(204);
  for (const { abort } of hanging) abort('ended');
});
