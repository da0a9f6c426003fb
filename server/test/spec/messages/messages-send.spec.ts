import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { expectWellFormed } from '@postrider/testkit/mail/well-formed-mail.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import type { SinkMessage } from '@postrider/testkit/smtp/sink-script.ts';
import { type ParsedMail, simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';

const startedAt = Date.now();
let running: ServerWithSink;
let server: TestServer;
let sink: MailSink;

beforeAll(async () => {
  running = await startServerWithSink();
  ({ server, sink } = running);
});
afterAll(() => running.stop());

const address = (name = 'rcpt') => `${server.freshName(name)}@remote.example`;

/** The only copy that reached a recipient. */
const copyFor = (recipient: string): SinkMessage => {
  const copies = sink.copiesFor(recipient);
  expect(copies.map((copy) => copy.recipients)).toEqual([[recipient]]);
  return copies[0] as SinkMessage;
};

test('Messages POST /messages, Message thread_id, Message message_id, Message provider_message_id, Message idempotent: answered 201', async () => {
  const inbox = await server.inbox();
  const to = address();
  const { data, response } = await server.client.messages
    .send({ inbox_id: inbox.id, to: [to], subject: 'Hello', text: 'Hi' })
    .withResponse();
  expect(response.status).toBe(201);
  expect(data).toEqual({
    id: expect.stringMatching(/^msg_/),
    thread_id: expect.stringMatching(/^thr_/),
    message_id: expect.stringMatching(/^<[^\s<>@]+@postrider\.test>$/),
    provider_message_id: 'SINK',
    idempotent: false,
    dropped: [],
    delivery_status: 'sent',
  });
  expect(copyFor(to)).toMatchObject({
    from: expect.stringMatching(/^bounces\+/),
    messageId: data.message_id,
  });
});

/** The header of the mail that names every kind of field, as another program reads it. */
const expectHeader = async (raw: Buffer, from: string, to: string, cc: string): Promise<ParsedMail> => {
  const mail = await simpleParser(raw);
  expect(mail.from?.value).toEqual([{ name: 'Zoë, Agent', address: from }]);
  expect(
    [mail.to, mail.cc, mail.replyTo]
      .flatMap((field) => (field ? [field].flat() : []))
      .map((field) => field.value),
  ).toEqual([
    [{ name: 'Lovelace, Ada', address: to }],
    [{ name: '', address: cc }],
    [{ name: 'Replies', address: 'replies@elsewhere.example' }],
  ]);
  expect(mail.headers.get('x-order')).toBe('17');
  // Since this file began, in whole seconds.
  expect(mail.date?.getTime()).toBeGreaterThanOrEqual(startedAt - 1_000);
  expect(mail.date?.getTime()).toBeLessThanOrEqual(Date.now());
  return mail;
};

test('Messages inbox_id, Messages to, Messages subject, Messages attachments: sent as given, and read back by GET', async () => {
  const { client } = server;
  const inbox = await client.inboxes.create({ local_part: server.freshName(), display_name: 'Zoë, Agent' });
  const [to, cc, bcc] = [address('to'), address('cc'), address('bcc')];
  const { id } = await client.messages.send({
    inbox_id: inbox.id,
    to: [`"Lovelace, Ada" <${to}>`],
    cc: [cc],
    bcc: [bcc],
    reply_to: 'Replies <replies@elsewhere.example>',
    subject: 'Grüße 🦊 and a long subject that has to be folded over more than one line of its header field',
    text: 'Line one\nLine two with ünïcode\n.\n..dots\nFrom the start\n',
    html: '<p>Hällo <b>there</b></p>',
    headers: { 'X-Order': '17', 'List-Unsubscribe': '<https://example.com/u>' },
    attachments: [
      { filename: 'Ünï.pdf', content_type: 'application/pdf', content_base64: 'JVBERi0=' },
      { filename: 'no type.csv', content_base64: 'YSxi' },
    ],
  });
  const raw = copyFor(to).raw;
  for (const other of [cc, bcc]) expect(copyFor(other).raw.equals(raw)).toBe(true);
  expectWellFormed(raw);
  expect(raw.toString('latin1')).not.toContain(bcc);
  const mail = await expectHeader(raw, inbox.address, to, cc);
  const message = await client.messages.get(id);
  expect(mail.subject).toBe(message.subject);
  expect(mail.text?.replace(/\r\n/g, '\n')).toBe(message.body_text);
  expect(mail.attachments.map((file) => [file.filename, file.contentType, file.size])).toEqual([
    ['Ünï.pdf', 'application/pdf', 5],
    ['no type.csv', 'text/csv', 3],
  ]);
  expect(message).toMatchObject({
    direction: 'outbound',
    from_addr: inbox.address,
    from_name: 'Zoë, Agent',
    to_addrs: [to],
    cc_addrs: [cc],
    bcc_addrs: [bcc],
    reply_to_addrs: ['replies@elsewhere.example'],
    body_html: '<p>Hällo <b>there</b></p>',
    envelope_from: null,
    envelope_to: [],
    extracted_text: null,
    authentication: null,
    delivery_status: 'sent',
    in_reply_to: null,
    references: [],
    size_bytes: raw.length,
  });
  expect(message.recipients.map((each) => [each.address, each.status])).toEqual([
    [to, 'sent'],
    [cc, 'sent'],
    [bcc, 'sent'],
  ]);
});

test('Messages text, html: either, both or neither', async () => {
  const inbox = await server.inbox();
  for (const body of [{ text: 'only text' }, { html: '<p>only html</p>' }, {}, { text: '', html: '' }]) {
    const to = address();
    const { id } = await server.client.messages.send({ inbox_id: inbox.id, to: [to], subject: '', ...body });
    expectWellFormed(copyFor(to).raw);
    const message = await server.client.messages.get(id);
    expect(message).toMatchObject({ subject: '', delivery_status: 'sent' });
    expect([message.body_text, message.body_html]).toEqual([body.text ?? null, body.html ?? null]);
  }
});

test('Messages: an address that is named twice, in any spelling, gets one copy', async () => {
  const inbox = await server.inbox();
  const to = address();
  const { id } = await server.client.messages.send({
    inbox_id: inbox.id,
    to: [to, to.toUpperCase(), `Name <${to}>`],
    cc: [` ${to} `],
    bcc: [to.replace('remote', 'REMOTE')],
    subject: 's',
  });
  expect((await server.client.messages.get(id)).to_addrs).toEqual([to]);
  expect(copyFor(to).recipients).toEqual([to]);
});

test('Messages: UTF-8 local parts and international domains are sent by SMTPUTF8, as A-labels', async () => {
  const inbox = await server.inbox();
  const name = server.freshName('用户');
  const { id } = await server.client.messages.send({
    inbox_id: inbox.id,
    to: [`${name}@Bücher.example`, address('plain')],
    subject: 's',
  });
  const message = await server.client.messages.get(id);
  expect(message.to_addrs[0]).toBe(`${name}@xn--bcher-kva.example`);
  expect(message.delivery_status).toBe('sent');
  expect(copyFor(`${name}@xn--bcher-kva.example`).mailParameters).toContain('SMTPUTF8');
});

test('Messages 2: recipients that are suppressed are dropped, and the answer names them', async () => {
  const inbox = await server.inbox();
  const [to, gone, hidden] = [address('to'), address('gone'), address('hidden')];
  for (const each of [gone, hidden]) await running.suppress(server.id, each);
  const receipt = await server.client.messages.send({
    inbox_id: inbox.id,
    to: [gone.toUpperCase(), to],
    bcc: [`Hidden <${hidden}>`],
    subject: 's',
  });
  expect(receipt.dropped).toEqual([
    { address: gone, reason: 'suppressed' },
    { address: hidden, reason: 'suppressed' },
  ]);
  const message = await server.client.messages.get(receipt.id);
  expect([message.to_addrs, message.bcc_addrs, message.recipients.length]).toEqual([[to], [], 1]);
  copyFor(to);
  expect(sink.copiesFor(gone).concat(sink.copiesFor(hidden))).toEqual([]);
});

test('Messages 2, Errors 422 no_deliverable_recipients: when nobody is left, with all of them, and nothing is stored', async () => {
  const workspace = await server.workspace();
  const inbox = await server.inbox(workspace);
  const [one, two] = [address(), address()];
  for (const each of [one, two]) await running.suppress(workspace.id, each);
  const body = { inbox_id: inbox.id, to: [one], cc: [two], subject: 's', client_id: 'reserved' };
  await catchApiError(workspace.client.messages.send(body), 'no_deliverable_recipients', {
    blocked: [
      { address: one, reason: 'suppressed' },
      { address: two, reason: 'suppressed' },
    ],
  });
  expect((await workspace.client.messages.list()).messages).toEqual([]);
  expect((await workspace.client.threads.list()).threads).toEqual([]);
  const fine = await workspace.client.messages.send({ ...body, to: [address()] });
  expect([fine.idempotent, fine.dropped.length]).toEqual([false, 1]);
});

test('Messages 2: a suppression of one workspace does not touch another', async () => {
  const other = await server.workspace();
  const inbox = await server.inbox(other);
  const to = address();
  await running.suppress(server.id, to);
  expect((await other.client.messages.send({ inbox_id: inbox.id, to: [to], subject: 's' })).dropped).toEqual(
    [],
  );
  copyFor(to);
});

test('Messages in_reply_to, Messages references: join a thread of the same inbox when they name one of its messages', async () => {
  const { client } = server;
  const inbox = await server.inbox();
  const first = await client.messages.send({ inbox_id: inbox.id, to: [address()], subject: 'One' });
  const bare = first.message_id.slice(1, -1);
  const joined = await client.messages.send({
    inbox_id: inbox.id,
    to: [address()],
    subject: 'Two',
    in_reply_to: bare,
  });
  expect(joined.thread_id).toBe(first.thread_id);
  expect((await client.messages.get(joined.id)).in_reply_to).toBe(first.message_id);
  const named = {
    to: [address()],
    subject: 'Three',
    references: [first.message_id, '<later@elsewhere.example>'],
  };
  expect((await client.messages.send({ inbox_id: inbox.id, ...named })).thread_id).toBe(first.thread_id);
  const thread = await client.threads.get(first.thread_id);
  expect(thread.messages.map((message) => message.subject)).toEqual(['One', 'Two', 'Three']);
});

test('Interface 4 Send: ids that name nothing in the inbox are only sent as headers', async () => {
  const { client } = server;
  const [inbox, sibling] = [await server.inbox(), await server.inbox()];
  const first = await client.messages.send({ inbox_id: sibling.id, to: [address()], subject: 'One' });
  const to = address();
  const references = ['<a@elsewhere.example>', first.message_id];
  const second = await client.messages.send({
    inbox_id: inbox.id,
    to: [to],
    subject: 'Two',
    in_reply_to: first.message_id,
    references,
  });
  expect(second.thread_id).not.toBe(first.thread_id);
  const mail = await simpleParser(copyFor(to).raw);
  expect([mail.inReplyTo, mail.references]).toEqual([first.message_id, [...references, second.message_id]]);
});

test('Messages cc, bcc: a message to blind recipients only hides them from each other', async () => {
  const inbox = await server.inbox();
  const [to, one, two] = [address('to'), address('one'), address('two')];
  await running.suppress(server.id, to);
  const { id } = await server.client.messages.send({
    inbox_id: inbox.id,
    to: [to],
    bcc: [one, two],
    subject: 's',
  });
  const raw = copyFor(one).raw.toString('latin1');
  for (const hidden of [one, two]) expect(raw).not.toContain(hidden);
  expect((await server.client.messages.get(id)).to_addrs).toEqual([]);
});
