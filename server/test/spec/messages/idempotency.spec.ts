import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@postrider/contract';
import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const clock = createMovingClock();
let running: ServerWithSink;
let server: TestServer;
let sink: MailSink;
let inbox: Inbox;

beforeAll(async () => {
  running = await startServerWithSink({ clock });
  ({ server, sink } = running);
  inbox = await server.inbox();
});
afterEach(() => sink.clearScript());
afterAll(() => running.stop());

const address = () => `${server.freshName('rcpt')}@remote.example`;
const messageTo = (to: string, client_id: string) => ({
  inbox_id: inbox.id,
  to: [to],
  subject: 's',
  text: 't',
  client_id,
});

/** An inbound mail to answer. */
const receive = async (headers: Record<string, string> = {}) => {
  const subject = server.freshName('subject');
  await sendMail(server.smtpPort, {
    from: 'ada@remote.example',
    to: inbox.address,
    subject,
    text: 'Hi',
    headers,
  });
  const { messages } = await server.client.messages.list({ subject });
  return messages[0] ?? expect.fail('The mail is not there.');
};

test('Messages 1, Messages client_id: a repeated one returns the original message and does not send again', async () => {
  const body = messageTo(address(), server.freshName());
  const first = await server.client.messages.send(body);
  const { data: second, response } = await server.client.messages.send(body).withResponse();
  expect(response.status).toBe(200);
  expect([first.idempotent, second]).toEqual([false, { ...first, idempotent: true }]);
  expect(sink.copiesFor(body.to[0] ?? '')).toHaveLength(1);
  expect((await server.client.messages.get(first.id)).client_id).toBe(body.client_id);
});

test('Messages 1: twenty identical requests at once send one message, five times over', async () => {
  const bodies = Array.from({ length: 5 }, () => messageTo(address(), server.freshName()));
  const receipts = await Promise.all(
    bodies.flatMap((body) => Array.from({ length: 20 }, () => server.client.messages.send(body))),
  );
  for (const [index, body] of bodies.entries()) {
    const mine = receipts.slice(index * 20, index * 20 + 20);
    expect(new Set(mine.map((receipt) => receipt.id)).size).toBe(1);
    expect(mine.filter((receipt) => !receipt.idempotent)).toHaveLength(1);
    expect(mine.map((receipt) => receipt.delivery_status)).toEqual(Array(20).fill('sent'));
    expect(sink.copiesFor(body.to[0] ?? '').map((copy) => copy.messageId)).toEqual([mine[0]?.message_id]);
  }
  const stored = await server.rows(
    "select id from messages where client_id like 'box-%' and direction = 'outbound'",
  );
  expect(stored.length).toBeGreaterThanOrEqual(5);
  expect(new Set(stored.map((row) => row.id)).size).toBe(stored.length);
});

test('Messages 1, Limits Idempotency window for client_id: it is 24 hours from its first acceptance', async () => {
  const body = messageTo(address(), server.freshName());
  const first = await server.client.messages.send(body);
  clock.advance(limits.idempotencyWindowMs - 60_000);
  expect(await server.client.messages.send(body)).toMatchObject({ id: first.id, idempotent: true });
  clock.advance(120_000);
  const receipts = await Promise.all(Array.from({ length: 10 }, () => server.client.messages.send(body)));
  const [second] = receipts;
  expect(second?.id).not.toBe(first.id);
  expect(receipts.map((receipt) => receipt.id)).toEqual(Array(10).fill(second?.id));
  expect(receipts.filter((receipt) => !receipt.idempotent)).toHaveLength(1);
  expect(sink.copiesFor(body.to[0] ?? '')).toHaveLength(2);
});

test('Interface 4 client_id: a repeat answers the original whatever its body says, and says if it asked for something else', async () => {
  const body = messageTo(address(), server.freshName());
  const first = await server.client.messages.send(body);
  const otherInbox = await server.inbox();
  const tooLarge = { filename: 'a', content: Buffer.alloc(limits.attachmentBytesMax + 1) };
  const changes = [
    { to: [address()], subject: 'other', text: 'other' },
    { inbox_id: otherInbox.id },
    { inbox_id: 'inb_unknown' },
    { attachments: [tooLarge] },
  ];
  for (const change of changes) {
    const repeat = await server.client.messages.send({ ...body, ...change });
    expect(repeat).toEqual({ ...first, idempotent: true, differs: true });
  }
  expect(await server.client.messages.send({ ...body, cc: [] })).toEqual({ ...first, idempotent: true });
  expect(await invalidFields(server.client.messages.send({ ...body, to: [] }))).toEqual(['to']);
  expect(sink.copiesFor(body.to[0] ?? '')).toHaveLength(1);
});

test('Interface 4 client_id: is one over send, reply and forward', async () => {
  const original = await receive();
  const client_id = server.freshName();
  const sent = await server.client.messages.send(messageTo(address(), client_id));
  const before = sink.messages.length;
  const { data: reply, response } = await server.client.messages
    .reply(original.id, { text: 'r', client_id })
    .withResponse();
  expect([response.status, reply.id, reply.idempotent, reply.dropped]).toEqual([200, sent.id, true, []]);
  const forward = await server.client.messages.forward(original.id, { to: [address()], client_id });
  expect([forward.id, forward.idempotent]).toEqual([sent.id, true]);
  const replyId = server.freshName();
  const answered = await server.client.messages.reply(original.id, { text: 'r', client_id: replyId });
  const repeated = await server.client.messages.send(messageTo(address(), replyId));
  expect([answered.idempotent, repeated.id, repeated.idempotent]).toEqual([false, answered.id, true]);
  expect(sink.messages.length).toBe(before + 1);
});

test('Interface 4 client_id: differs is said of repeats of a reply, a forward and a draft, and of none that asks for the same', async () => {
  const { messages, drafts } = server.client;
  const original = await receive();
  const [replyId, forwardId, draftId] = [server.freshName(), server.freshName(), server.freshName()];
  const to = address();
  const letter = { inbox_id: inbox.id, to: [address()], subject: 's', text: 't' };
  const [one, other] = [await drafts.create(letter), await drafts.create(letter)];
  const ways = {
    reply: (text: string) => messages.reply(original.id, { text, client_id: replyId }),
    forward: (text: string) => messages.forward(original.id, { to: [to], text, client_id: forwardId }),
    draft: (text: string) => drafts.send(text === 'same' ? one.id : other.id, { client_id: draftId }),
  };
  for (const [name, send] of Object.entries(ways)) {
    const [first, same, changed] = [await send('same'), await send('same'), await send('other')];
    expect([name, first.idempotent, same.idempotent, changed.idempotent]).toEqual([name, false, true, true]);
    expect([name, same.id, changed.id]).toEqual([name, first.id, first.id]);
    expect([first, same].filter((answer) => 'differs' in answer)).toEqual([]);
    expect([name, changed.differs]).toEqual([name, true]);
  }
  expect((await drafts.get(other.id)).status).toBe('draft');
});

test('Interface 4 client_id: of requests at once with one client_id, those that ask for something else than the one that was sent say so', async () => {
  const client_id = server.freshName();
  const body = messageTo(address(), client_id);
  const texts = Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? 'even' : 'odd'));
  const receipts = await Promise.all(texts.map((text) => server.client.messages.send({ ...body, text })));
  const sent = (await server.client.messages.get(receipts[0]?.id ?? '')).body_text;
  expect(receipts.map(({ differs = false }) => differs)).toEqual(texts.map((text) => text !== sent));
});

test('Interface 4 client_id: twenty replies at once, and a repeat without force, answer the one that was sent', async () => {
  const original = await receive({ 'Auto-Submitted': 'auto-replied' });
  const client_id = server.freshName();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () =>
      server.client.messages.reply(original.id, { text: 'r', client_id, force: true }),
    ),
  );
  expect(new Set(replies.map((reply) => reply.id)).size).toBe(1);
  const repeat = await server.client.messages.reply(original.id, { text: 'r', client_id });
  expect([repeat.id, repeat.idempotent]).toEqual([replies[0]?.id, true]);
  expect(sink.messages.filter((copy) => copy.messageId === repeat.message_id)).toHaveLength(1);
});

test('Interface 4 client_id: an answer that stored nothing reserves nothing', async () => {
  const to = address();
  const body = messageTo(to, server.freshName());
  const suppressed = address();
  await running.suppress(server.id, suppressed);
  const { client } = server;
  await catchApiError(client.messages.send({ ...body, to: [suppressed] }), 'no_deliverable_recipients');
  await catchApiError(client.messages.send({ ...body, inbox_id: 'inb_x' }), 'not_found');
  await invalidFields(client.messages.send({ ...body, to: ['x'] }));
  const tooLarge = { filename: 'a', content: Buffer.alloc(limits.attachmentBytesMax + 1) };
  await catchApiError(client.messages.send({ ...body, attachments: [tooLarge] }), 'attachment_too_large');
  expect(await client.messages.send(body)).toMatchObject({ idempotent: false, delivery_status: 'sent' });
  expect(sink.copiesFor(to)).toHaveLength(1);
});

test('Interface 4 client_id: is unique per workspace', async () => {
  const other = await server.workspace();
  const body = messageTo(address(), server.freshName());
  const first = await server.client.messages.send(body);
  const theirs = await other.client.messages.send({ ...body, inbox_id: (await server.inbox(other)).id });
  expect(theirs.idempotent).toBe(false);
  expect(theirs.id).not.toBe(first.id);
  expect(sink.copiesFor(body.to[0] ?? '')).toHaveLength(2);
});

test('Interface 4 client_id: a repeat while the first is in flight waits for it and answers its state', async () => {
  const body = messageTo(address(), server.freshName());
  const answered = Promise.withResolvers<void>();
  sink.script({ at: 'dot', recipient: body.to[0] ?? '', until: answered.promise });
  const first = server.client.messages.send(body);
  await sink.waitForMessages(sink.messages.length + 1);
  const repeat = Promise.resolve(server.client.messages.send(body));
  // Time for one that does not wait. A slow machine may need more, and then sees nothing wrong.
  expect(await Promise.race([repeat.then(() => 'answered'), sleep(500, 'waits')])).toBe('waits');
  answered.resolve();
  const second = await repeat;
  expect(second).toEqual({ ...(await first), idempotent: true });
  expect(second.delivery_status).toBe('sent');
  expect(sink.copiesFor(body.to[0] ?? '')).toHaveLength(1);
});

test('Interface 4 client_id: case and spaces make another id', async () => {
  const base = server.freshName('Case');
  const ids = new Set<string>();
  for (const client_id of [base, base.toLowerCase(), ` ${base}`, `${base} `, `${base}é`, `${base}e\u0301`])
    ids.add((await server.client.messages.send(messageTo(address(), client_id))).id);
  expect(ids.size).toBe(6);
});
