/* Below the reserve of disk mail waits at its senders, while sends and reads go on. */

import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ env: { POSTRIDER_DISK_RESERVE: '900TB', POSTRIDER_TIME_SCALE: '50' } });
});
afterAll(() => server.stop());

test('below the reserve of disk mail hears 452 4.3.1 before its data, and unknown mailboxes 550 as ever', async () => {
  const inbox = await server.inbox();
  const client = await RawSmtpClient.greet(server.smtpPort);
  await client.codes('MAIL FROM:<ada@remote.example>');
  expect((await client.command(`RCPT TO:<${inbox.address}>`)).lines[0]).toMatch(/^452 4\.3\.1 /);
  expect((await client.command('RCPT TO:<nobody-at-all@postrider.test>')).code).toBe(550);
  expect((await client.command('DATA')).code).toBeGreaterThanOrEqual(500);
  client.destroy();
  const decisions = () =>
    server.rows('select verdict, left(reply, 9) as reply from smtp_decisions where inbox_id = $1', [
      inbox.id,
    ]);
  await eventually('the decision to be logged', async () => (await decisions()).length > 0);
  expect(await decisions()).toEqual([{ verdict: 'deferred', reply: '452 4.3.1' }]);
});

test('below the reserve of disk messages are sent, read and listed; those to inboxes here wait as mail does', async () => {
  const [from, to] = [await server.inbox(), await server.inbox()];
  const sent = await server.client.messages.send({
    inbox_id: from.id,
    to: ['ada@remote.example', to.address],
    subject: 's',
    text: 't',
    attachments: [{ filename: 'a.txt', content: Buffer.from('ten bytes.') }],
  });
  const read = () => server.client.messages.get(sent.id);
  // In one look, because a deferred one is tried again soon.
  const outcomes = await eventually('the outcomes', async () => {
    const { recipients } = await read();
    return recipients.every(({ status }) => status === 'sent' || status === 'deferred') && recipients;
  });
  expect(outcomes).toMatchObject([
    { address: 'ada@remote.example', status: 'sent' },
    { address: to.address, status: 'deferred', detail: expect.stringMatching(/^452 4\.3\.1 /) },
  ]);
  expect((await server.client.messages.list({ inbox_id: from.id })).messages).toHaveLength(1);
});

test('/readyz says that the disk is short and stays ready, and /metrics how much is free', async () => {
  const ready = await fetch(`${server.url}/readyz`);
  expect(ready.status).toBe(200);
  expect((await ready.json()) as object).toMatchObject({
    status: 'ready',
    checks: { files: { ok: true, detail: 'short of disk: incoming mail is deferred' } },
  });
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(Number(/^postrider_disk_free_bytes\{part="files"\} (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
});
