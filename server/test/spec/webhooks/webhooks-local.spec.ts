/* Interface 5: a server to try things with posts to programs of its own machine. */

import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import { afterEach, expect, test } from 'vitest';

let server: TestServer;
let receiver: WebhookReceiver | undefined;

const start = async (env: Record<string, string> = {}) => {
  server = await startTestServer({ env: { POSTRIDER_WEBHOOK_ALLOW_PRIVATE: 'false', ...env } });
};
afterEach(async () => {
  await receiver?.close();
  receiver = undefined;
  await server.stop();
});

const create = (url: string) => server.client.webhooks.create({ url, events: ['message.received'] });

test('Interface 5: with the sandbox and the API on loopback, http: and loopback are taken and reached, and nothing else is', async () => {
  await start();
  receiver = await startWebhookReceiver();
  receiver.always(() => 204);
  const { port } = new URL(receiver.url);
  for (const host of ['localhost', '127.0.0.1']) {
    const { id } = await create(`http://${host}:${port}/hooks`);
    const { attempts } = await server.client.webhooks.test(id);
    expect([host, attempts[0]?.status_code, attempts[0]?.error]).toEqual([host, 204, null]);
  }
  for (const url of [
    'http://agent.invalid/',
    'http://10.0.0.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/',
  ]) {
    const { issues } = await catchApiError(create(url), 'invalid_request');
    const message = expect.stringContaining('POSTRIDER_WEBHOOK_ALLOW_PRIVATE');
    expect(issues).toEqual([{ path: 'url', message }]);
  }
});

test.each([
  ['with another transport', { POSTRIDER_TRANSPORT: 'smtp', POSTRIDER_SMTP_RELAY: 'smtp://127.0.0.1:1' }],
  ['on all interfaces', { POSTRIDER_HTTP_HOST: '0.0.0.0' }],
  ['behind a public URL', { POSTRIDER_PUBLIC_URL: 'https://mail.example.com' }],
])(
  'Interface 5: %s loopback is refused, when the webhook is made and when it is posted to',
  async (_how, env) => {
    await start(env);
    for (const url of [
      'http://localhost:3000/',
      'https://localhost/',
      'https://127.0.0.1/',
      'https://[::1]/',
    ])
      await catchApiError(create(url), 'invalid_request');
    const { id } = await create('https://agent.invalid/');
    for (const url of ['http://localhost:1/', 'http://agent.invalid/', 'https://127.0.0.1:1/']) {
      await server.rows('update webhooks set url = $1 where id = $2', [url, id]);
      const { status, attempts } = await server.client.webhooks.test(id);
      expect([url, status]).toEqual([url, 'failed']);
      expect(attempts[0]?.error).toContain('POSTRIDER_WEBHOOK_ALLOW_PRIVATE');
    }
  },
);
