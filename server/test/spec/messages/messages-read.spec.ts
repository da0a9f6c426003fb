import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendLines, sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
let inbox: Inbox;

beforeAll(async () => {
  server = await joinTestServer();
  inbox = await server.inbox();
});
afterAll(() => server.stop());

test('Interface 2: the order of messages is stable while mail comes in between two pages', async () => {
  const box = await server.inbox();
  const deliver = (subject: string) =>
    sendMail(server.smtpPort, { from: 'ada@example.com', to: box.address, subject, text: subject });
  for (const subject of ['1', '2', '3', '4', '5']) await deliver(subject);
  const seen: string[] = [];
  let page = await server.client.messages.list({ inbox_id: box.id, limit: 2 });
  for (let round = 6; ; round++) {
    seen.push(...page.messages.map((message) => message.subject));
    if (!page.hasNextPage()) break;
    await deliver(String(round));
    page = await page.nextPage();
  }
  expect(seen).toEqual(['5', '4', '3', '2', '1']);
});

test('Messages GET /messages/{id}: answers whole bodies; a list cuts each at 64 KiB and says so', async () => {
  const box = await server.inbox();
  const text = `${'é'.repeat(40_000)}end`;
  const html = `<p>${'x'.repeat(100_000)}</p>`;
  await sendMail(server.smtpPort, { from: 'ada@example.com', to: box.address, subject: 'long', text, html });
  const listed = (await server.client.messages.list({ inbox_id: box.id })).messages[0] ?? expect.fail();
  expect(listed.body_truncated).toBe(true);
  for (const body of [listed.body_text, listed.body_html]) {
    expect(Buffer.byteLength(body ?? '')).toBeLessThanOrEqual(65_536);
    expect(Buffer.byteLength(body ?? '')).toBeGreaterThan(65_500);
  }
  expect(text.startsWith(listed.body_text ?? '-')).toBe(true);
  const whole = await server.client.messages.get(listed.id);
  expect([whole.body_text?.trimEnd(), whole.body_html?.trimEnd(), whole.body_truncated]).toEqual([
    text,
    html,
    false,
  ]);
  const thread = await server.client.threads.get(listed.thread_id);
  expect(thread.messages[0]?.body_truncated).toBe(true);
  expect(listed.snippet).toBe('é'.repeat(200));
});

test('Interface 6: GET /messages/{id}/raw links to the mail as it was received or sent, byte for byte', async () => {
  const lines = [
    'From: ada@example.com',
    `To: ${inbox.address}`,
    'Subject: =?utf-8?q?raw?=',
    '',
    'a ',
    '..dots',
    '.',
    '\u00ff',
  ];
  await sendLines(server.smtpPort, { from: 'ada@example.com', to: inbox.address }, lines);
  const message = (await server.client.messages.list({ limit: 1 })).messages[0] ?? expect.fail();
  const before = Date.now();
  const link = await server.client.messages.raw(message.id);
  const linkedBy = Date.now();
  const response = await fetch(link.url);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.toString()).toBe(`${lines.join('\r\n')}\r\n`);
  expect([link.size_bytes, message.size_bytes]).toEqual([bytes.length, bytes.length]);
  expect(response.headers.get('content-disposition')).toContain(`${message.id}.eml`);
  expect(response.headers.get('content-type')).toBe('message/rfc822');
  const expiresAt = Date.parse(link.expires_at);
  expect(expiresAt - before).toBeGreaterThanOrEqual(15 * 60_000 - 1_000);
  expect(expiresAt - linkedBy).toBeLessThanOrEqual(15 * 60_000 + 1_000);
  const { id, message_id } = await server.client.messages.send({
    inbox_id: inbox.id,
    to: ['ada@example.com'],
    subject: 'Re: raw',
  });
  const sent = await server.client.messages.raw(id);
  expect(await (await fetch(sent.url)).text()).toContain(`Message-ID: ${message_id}`);
});
