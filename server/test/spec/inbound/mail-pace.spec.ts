/* A workspace takes large mail at the rate of its plan; small mail, and that of others, does not wait for it. */

import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  // Half a megabyte of mail a second.
  const plans = { free: { requests_per_second: 4, requests_burst: 1_000 } };
  server = await startTestServer({
    env: { POSTRIDER_RATE_LIMITS: 'on', POSTRIDER_PLANS: JSON.stringify(plans) },
  });
});
afterAll(() => server.stop());

/** Delivers a mail by a connection of its own, and returns what its data was answered. */
const deliver = async (to: string, bytes: number) => {
  const client = await RawSmtpClient.greet(server.smtpPort);
  await client.codes('MAIL FROM:<ada@remote.example>', `RCPT TO:<${to}>`, 'DATA');
  const lines = `${'x'.repeat(78)}\r\n`.repeat(bytes / 80);
  const headers = [
    'From: ada@remote.example',
    `Message-ID: <${crypto.randomUUID()}@remote.example>`,
    `Subject: ${bytes}`,
  ];
  client.write(`${headers.join('\r\n')}\r\n\r\n${lines}.\r\n`);
  const { code } = await client.reply();
  client.destroy();
  return code;
};

test('mail beyond the rate of a plan is taken later, and all of it; small mail and that of others overtakes it', async () => {
  const [busy, calm] = [await server.workspace({ plan: 'free' }), await server.workspace({ plan: 'free' })];
  const [inbox, other] = [await server.inbox(busy), await server.inbox(calm)];
  const answered: string[] = [];
  const note = (name: string) => (code: number) => void answered.push(`${name} ${code}`);
  const since = performance.now();
  const large = Array.from({ length: 3 }, () => deliver(inbox.address, 800_000).then(note('large')));
  await Promise.all([
    ...large,
    deliver(inbox.address, 8_000).then(note('small')),
    deliver(other.address, 400_000).then(note('other')),
  ]);
  expect(performance.now() - since).toBeGreaterThan(3_500);
  // The last large one waits for the two before it, and nobody else does.
  expect(answered.at(-1)).toBe('large 250');
  expect([...answered].sort()).toEqual(['large 250', 'large 250', 'large 250', 'other 250', 'small 250']);
  const sizes = async () =>
    (await busy.client.messages.list({ inbox_id: inbox.id })).messages.map(({ subject }) => subject);
  await eventually('all mail to be readable', async () => (await sizes()).length === 4);
  expect((await sizes()).sort()).toEqual(['8000', '800000', '800000', '800000']);
});
