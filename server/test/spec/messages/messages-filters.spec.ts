import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendLines, sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox, ListMessages, Message } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

const clock = createMovingClock();
let server: TestServer;
let inbox: Inbox;
let byName: Record<string, Message>;

beforeAll(async () => {
  server = await startTestServer({ clock });
  inbox = await server.inbox();
  byName = await receiveAll();
});
afterAll(() => server.stop());

const plus = (tag: string) => inbox.address.replace('@', `+${tag}@`);

/** Mails that differ in what the filters look at, a second apart. */
const receiveAll = async () => {
  const file = [{ filename: 'a.pdf', content: Buffer.from('x') }];
  const mails = {
    order: { from: 'ada@example.com', to: inbox.address, subject: 'Order 17 has shipped', attachments: file },
    invoice: {
      from: 'Billing <billing@sub.example.com>',
      to: inbox.address,
      subject: 'INVOICE for order 18',
    },
    quoted: { from: "o'brien@irish.example", to: inbox.address, subject: "It's \\ done: 100% & <b>" },
    tagged: {
      from: 'ada@example.com',
      to: plus('order-19'),
      cc: 'copy@example.org',
      subject: 'Größe und Straße',
    },
    foreign: { from: 'nutzer@bücher.example', to: inbox.address, subject: '発送のお知らせ 🦊' },
  };
  const found: Record<string, Message> = {};
  for (const [name, mail] of Object.entries(mails)) {
    clock.advance(1_000);
    await sendMail(server.smtpPort, { text: name, ...mail });
    found[name] = (await server.client.messages.list({ limit: 1 })).messages[0] ?? expect.fail(name);
  }
  clock.advance(1_000);
  const sent = await server.client.messages.send({
    inbox_id: inbox.id,
    to: ['ada@example.com'],
    subject: 'Re: Order',
  });
  found.sent = await server.client.messages.get(sent.id);
  return found;
};

/** The names of the messages that a filter finds, newest first. */
const names = async (filter: ListMessages) => {
  const { messages, next_cursor, mode_used } = await server.client.messages.list(filter);
  expect([next_cursor, mode_used]).toEqual([null, 'recent']);
  const named = Object.fromEntries(Object.entries(byName).map(([name, message]) => [message.id, name]));
  return messages.map((message) => named[message.id]);
};
const all = ['sent', 'foreign', 'tagged', 'quoted', 'invoice', 'order'];

test('Messages GET /messages: without a query returns recent mail, newest first', async () => {
  expect(await names({})).toEqual(all);
  const { messages } = await server.client.messages.list();
  const times = messages.map((message) => message.created_at);
  expect(times).toEqual([...times].sort().reverse());
});

test('Messages GET /messages: by inbox_id, and by thread_id', async () => {
  const other = await server.inbox();
  expect(await names({ inbox_id: inbox.id })).toEqual(all);
  expect(await names({ inbox_id: other.id })).toEqual([]);
  expect(await names({ thread_id: byName.order?.thread_id })).toEqual(['order']);
  expect(await names({ thread_id: byName.order?.thread_id, inbox_id: other.id })).toEqual([]);
});

test('Message labels, Interface 4 GET /messages: by label_id', async () => {
  const { labels } = server.client;
  const { id: label } = await labels.create({ name: 'Urgent', color: '#f00' });
  await labels.assign(label, { message_id: byName.quoted?.id ?? '' });
  expect(await names({ label_id: label })).toEqual(['quoted']);
  const applied = [{ id: label, name: 'Urgent', color: '#f00' }];
  expect((await server.client.messages.get(byName.quoted?.id ?? '')).labels).toEqual(applied);
  expect((await server.client.threads.get(byName.quoted?.thread_id ?? '')).labels).toEqual(applied);
  const { threads } = await server.client.threads.list({ label_id: label });
  expect(threads.map((thread) => [thread.id, thread.labels])).toEqual([[byName.quoted?.thread_id, applied]]);
});

test('Interface 4 GET /messages: by direction, and by has_attachment', async () => {
  expect(await names({ direction: 'outbound' })).toEqual(['sent']);
  expect(await names({ direction: 'inbound' })).toEqual(all.slice(1));
  expect(await names({ has_attachment: true })).toEqual(['order']);
  expect(await names({ has_attachment: false, direction: 'inbound' })).toEqual([
    'foreign',
    'tagged',
    'quoted',
    'invoice',
  ]);
  for (const query of ['direction=in', 'has_attachment=1', 'has_attachment='])
    expect((await server.request(`/v1/messages?${query}`)).status).toBe(400);
});

test('Interface 4 GET /messages: from and to match an exact address or a bare domain', async () => {
  expect(await names({ from: 'ada@example.com' })).toEqual(['tagged', 'order']);
  expect(await names({ from: ' ADA@EXAMPLE.com ' })).toEqual(['tagged', 'order']);
  expect(await names({ from: 'example.com' })).toEqual(['tagged', 'order']);
  expect(await names({ from: 'sub.example.com' })).toEqual(['invoice']);
  expect(await names({ from: 'xample.com' })).toEqual([]);
  expect(await names({ from: "o'brien@irish.example" })).toEqual(['quoted']);
  expect(await names({ from: 'nutzer@bücher.example' })).toEqual(['foreign']);
  expect(await names({ from: 'xn--bcher-kva.example' })).toEqual(['foreign']);
  expect(await names({ from: inbox.address })).toEqual(['sent']);
  expect(await names({ to: 'ada@example.com' })).toEqual(['sent']);
  expect(await names({ to: 'example.com' })).toEqual(['sent']);
  expect(await names({ to: plus('order-19') })).toEqual(['tagged']);
  expect(await names({ to: 'copy@example.org' })).toEqual(['tagged']);
  expect(await names({ to: 'postrider.test' })).toEqual(all.slice(1));
  for (const odd of [
    '"a\\\\b"@example.com',
    '"a\'b"@example.com',
    '"a:b & !c | (d)"@example.com',
    "x''*@example.com",
  ])
    expect([odd, await names({ from: odd, to: odd })]).toEqual([odd, []]);
  for (const bad of ['@example.com', 'a b', '', '*', 'example..com', 'a@'])
    expect([bad, await invalidFields(Promise.resolve(server.client.messages.list({ from: bad })))]).toEqual([
      bad,
      ['from'],
    ]);
});

test('Interface 4 GET /messages: an address in quotes with a backslash is found by itself', async () => {
  const box = await server.inbox();
  const odd = String.raw`"we \\ird' \"one\":*"@example.net`;
  await sendLines(server.smtpPort, { from: 'x@example.net', to: box.address }, [
    `From: ${odd}`,
    'Subject: odd',
    '',
    'x',
  ]);
  const found = await server.client.messages.list({ inbox_id: box.id, from: odd });
  expect(found.messages.map((message) => message.from_addr)).toEqual([odd]);
  await server.client.inboxes.delete(box.id);
});

test('Interface 4 GET /messages: subject matches words', async () => {
  expect(await names({ subject: 'order' })).toEqual(['sent', 'invoice', 'order']);
  expect(await names({ subject: 'SHIPPED order' })).toEqual(['order']);
  expect(await names({ subject: 'orders' })).toEqual([]);
  expect(await names({ subject: 'straße GRÖSSE größe' })).toEqual([]);
  expect(await names({ subject: 'straße GRÖßE' })).toEqual(['tagged']);
  expect(await names({ subject: 'billing' })).toEqual([]);
  expect(await names({ subject: '発送のお知らせ' })).toEqual(['foreign']);
  for (const odd of [
    "it's",
    "'",
    '\\',
    'a\\b',
    '!',
    '&',
    '|',
    ':*',
    '(',
    'x:A',
    '"',
    '/usr\\local/a\\',
    'http://a.b/c\\d?e',
    '🦊',
    '%',
    '_',
    ' ',
  ])
    expect([odd, (await names({ subject: odd })).every((name) => name !== undefined)]).toEqual([odd, true]);
});

test('Interface 4 GET /messages: after is inclusive and before exclusive on created_at', async () => {
  const [quoted, tagged] = [byName.quoted?.created_at ?? '', byName.tagged?.created_at ?? ''];
  expect(await names({ after: quoted, before: tagged })).toEqual(['quoted']);
  expect(await names({ after: tagged })).toEqual(['sent', 'foreign', 'tagged']);
  expect(await names({ before: quoted })).toEqual(['invoice', 'order']);
  const local = tagged.replace('Z', '+00:00');
  expect(await names({ after: local, before: tagged })).toEqual([]);
  for (const bad of [
    'yesterday',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '1',
    '2026-13-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
  ])
    expect([bad, await invalidFields(Promise.resolve(server.client.messages.list({ after: bad })))]).toEqual([
      bad,
      ['after'],
    ]);
});

test('Interface 4 GET /messages: every filter at once', async () => {
  const filter = {
    inbox_id: inbox.id,
    thread_id: byName.order?.thread_id,
    direction: 'inbound',
    from: 'example.com',
  } as const;
  const more = {
    to: inbox.address,
    subject: 'shipped',
    has_attachment: true,
    after: byName.order?.created_at,
  };
  expect(await names({ ...filter, ...more, before: byName.invoice?.created_at })).toEqual(['order']);
  expect(await names({ ...filter, ...more, before: byName.order?.created_at })).toEqual([]);
});

test('Interface 4 GET /messages: an unknown inbox, thread or label is a 404', async () => {
  for (const filter of [{ inbox_id: 'inb_x' }, { thread_id: byName.order?.id }, { label_id: 'lbl_x' }])
    await catchApiError(Promise.resolve(server.client.messages.list(filter)), 'not_found');
});
