import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '@postrider/contract';
import { openRaw } from '@postrider/testkit/http/raw-http.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { openRealtime } from '@postrider/testkit/servers/realtime-client.ts';
import {
  joinTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { startWebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import { sendLines } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Event, Message } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** An answer of several messages is never larger than this. */
const answerBytesMost = 6 * 1_048_576;
const mails = 40;
const text = 'A line of sixty characters, which is what a usual mail has...\r\n'.repeat(2_000);
let server: TestServer;
/** A workspace with a thread of mails whose bodies are over the 64 KiB that lists show. */
let owner: TestWorkspace;
let threadId: string;

beforeAll(async () => {
  server = await joinTestServer();
  owner = await server.workspace();
  const { address } = await server.inbox(owner);
  for (let number = 0; number < mails; number++)
    await deliver(address, [
      `Message-ID: <large-${number}@remote.example>`,
      ...(number === 0 ? [] : ['In-Reply-To: <large-0@remote.example>']),
      `Subject: ${number}`,
      '',
      text,
      // A control character becomes six bytes of JSON.
      '\u0001'.repeat(40_000),
    ]);
  const { messages } = await owner.client.messages.list({ limit: 1 });
  threadId = messages[0]?.thread_id ?? '';
});
afterAll(() => server.stop());

const deliver = async (to: string, lines: string[]) => {
  await sendLines(server.smtpPort, { from: 'ada@remote.example', to }, [
    'From: ada@remote.example',
    ...lines,
  ]);
  await server.filed();
};
const bytesOf = (answer: unknown): number => Buffer.byteLength(JSON.stringify(answer));
const subjects = (messages: (Message | null)[]) => messages.map((message) => Number(message?.subject));
const numbers = (from: number, to: number) =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, n) => from + n * Math.sign(to - from));

test('Interface 3 Message: a list whose answer would be over 4 MB ends early, and its cursors lead to every message once', async () => {
  const seen: number[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await owner.client.messages.list({ limit: 100, ...(cursor && { cursor }) });
    seen.push(...subjects(page.messages));
    sizes.push(bytesOf(page));
    cursor = page.next_cursor;
    if (cursor === null) break;
  }
  expect(seen).toEqual(numbers(mails - 1, 0));
  expect(sizes.length).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThan(answerBytesMost);
  expect(sizes[0]).toBeGreaterThan(limits.answerBytesMax / 2);
});

test('Interface 3 Thread: a thread whose answer would be over 4 MB has its newest messages, oldest first, and says that others were left out', async () => {
  const thread = await owner.client.threads.get(threadId);
  expect([thread.message_count, thread.messages_truncated]).toEqual([mails, true]);
  expect(thread.messages.length).toBeGreaterThan(2);
  expect(subjects(thread.messages)).toEqual(numbers(mails - thread.messages.length, mails - 1));
  expect(bytesOf(thread)).toBeLessThan(answerBytesMost);
});

test('Interface 5 GET /events: a page that would be over 4 MB ends early, and whoever follows its cursor misses nothing', async () => {
  const seen: Event[] = [];
  for (let after: string | undefined; ; ) {
    const page = await owner.client.events.list({ limit: 100, ...(after && { after }) });
    if (page.events.length === 0) break;
    expect(bytesOf(page)).toBeLessThan(answerBytesMost);
    expect(page.events.length).toBeLessThan(mails);
    seen.push(...page.events);
    after = page.next_cursor ?? undefined;
  }
  expect(subjects(seen.map(({ message }) => message))).toEqual(numbers(0, mails - 1));
});

test('Interface 5 GET /realtime: large events that were missed come over the socket in order, each once', async () => {
  const { events } = await owner.client.events.list({ limit: 1 });
  const client = await openRealtime(server.url, owner.key, { query: { after: events[0]?.id ?? '' } });
  const received = await client.received(mails - 1);
  expect(subjects(received.map(({ message }) => message))).toEqual(numbers(1, mails - 1));
  await client.close();
});

test('Interface 3 Message truncated: lists cut each list of addresses at 100 and references at 20, and say so; a single read is whole', async () => {
  const other = await server.workspace();
  const { address } = await server.inbox(other);
  const list = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${name}${n}@remote.example`);
  const ids = Array.from({ length: 60 }, (_, n) => `<r${n}@remote.example>`);
  await deliver(address, [
    `To: ${list('to', 150).join(',\r\n ')}`,
    `Cc: ${list('cc', 100).join(',\r\n ')}`,
    `Reply-To: ${list('reply', 101).join(',\r\n ')}`,
    `References: ${ids.join('\r\n ')}`,
    'Subject: many',
    '',
    'Short.',
  ]);
  const [listed] = (await other.client.messages.list()).messages;
  expect(listed).toMatchObject({
    to_addrs: list('to', 100),
    cc_addrs: list('cc', 100),
    reply_to_addrs: list('reply', 100),
    references: [ids[0], ...ids.slice(-19)],
    body_truncated: false,
  });
  expect(listed?.truncated.toSorted()).toEqual(['references', 'reply_to_addrs', 'to_addrs']);
  const [event] = (await other.client.events.list({ wait_seconds: 60 })).events;
  const [shown] = (await other.client.threads.get(listed?.thread_id ?? '')).messages;
  expect([event?.message, shown]).toEqual([listed, listed]);
  const whole = await other.client.messages.get(listed?.id ?? '');
  expect(whole).toMatchObject({
    to_addrs: list('to', 150),
    reply_to_addrs: list('reply', 101),
    references: ids,
    truncated: [],
  });
});

test('Interface 3 Message truncated: names bodies that were cut', async () => {
  const { messages } = await owner.client.messages.list({ limit: 1 });
  expect(messages[0]).toMatchObject({ body_truncated: true, truncated: ['body_text', 'extracted_text'] });
  expect(await owner.client.messages.get(messages[0]?.id ?? '')).toMatchObject({
    body_truncated: false,
    truncated: [],
  });
});

test('Interface 3 Message truncated: names attachments where a mail had more than 100 files, and the original has all of them', async () => {
  const other = await server.workspace();
  const { address } = await server.inbox(other);
  const file = (n: number) => ['--b', `Content-Disposition: attachment; filename="${n}.txt"`, '', String(n)];
  const files = (count: number) => [
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...Array.from({ length: count }, (_, n) => file(n)).flat(),
    '--b--',
  ];
  await deliver(address, ['Subject: 100', ...files(100)]);
  await deliver(address, ['Subject: 101', ...files(101)]);
  const { messages } = await other.client.messages.list();
  expect(
    messages.map(({ subject, attachments, truncated }) => [subject, attachments.length, truncated]),
  ).toEqual([
    ['101', 100, ['attachments']],
    ['100', 100, []],
  ]);
  const [cut] = messages;
  const whole = await other.client.messages.get(cut?.id ?? '');
  expect([whole.truncated, whole.body_truncated]).toEqual([['attachments'], false]);
  const events = await eventually('both events', async () => {
    const page = await other.client.events.list();
    return page.events.length === 2 && page.events;
  });
  expect(events.map((event) => event.message?.truncated)).toEqual([[], ['attachments']]);
});

test('Interface 3 Message truncated: names extracted_text where it is of the first 250,000 characters alone', async () => {
  const other = await server.workspace();
  const { address } = await server.inbox(other);
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n} of it`.padEnd(96, '.'));
  await deliver(address, ['Subject: fits', '', ...lines(2_000)]);
  await deliver(address, ['Subject: long', '', ...lines(4_000)]);
  const { messages } = await other.client.messages.list();
  expect(messages.map(({ subject, truncated }) => [subject, truncated])).toEqual([
    ['long', ['body_text', 'extracted_text']],
    ['fits', ['body_text', 'extracted_text']],
  ]);
  const [long, fits] = await Promise.all(messages.map(({ id }) => other.client.messages.get(id)));
  expect([long?.truncated, long?.extracted_text?.length]).toEqual([['extracted_text'], 250_000]);
  expect([fits?.truncated, fits?.extracted_text]).toEqual([[], fits?.body_text?.trim()]);
});

test('Interface 2: large answers to clients that left count for nothing once they are gone', async () => {
  const get = `GET /v1/messages?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.key}\r\n\r\n`;
  const most = Math.ceil((2 * limits.unreadBytesPerWorkspaceMax) / limits.answerBytesMax);
  for (let n = 0; n < most; n += 1) {
    const connection = await openRaw(server.url);
    connection.write(get);
    await pause(n % 8);
    connection.destroy();
  }
  // The last of them are still being made.
  await eventually('an answer', async () => (await server.request('/v1/account', owner)).status === 200);
  const listed = () => owner.client.messages.list({ limit: 1 }).catch(() => null);
  expect((await eventually('a list', listed)).messages).toHaveLength(1);
});

test('Interface 5 Webhooks: large events are posted, each once', async () => {
  const other = await server.workspace();
  const { address } = await server.inbox(other);
  const receiver = await startWebhookReceiver();
  await other.client.webhooks.create({ url: receiver.url, events: ['message.received'] });
  for (let number = 0; number < 20; number++)
    await deliver(address, [`Subject: ${number}`, '', text.repeat(2)]);
  await eventually('20 posts', async () => receiver.requests.length >= 20);
  const posted = receiver.requests.map(({ event }) => (event as unknown as Event).message);
  expect(subjects(posted).toSorted((a, b) => a - b)).toEqual(numbers(0, 19));
  await receiver.close();
});
