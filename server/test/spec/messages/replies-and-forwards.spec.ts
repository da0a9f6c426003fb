import { limits } from '@postrider/contract';
import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { expectWellFormed } from '@postrider/testkit/mail/well-formed-mail.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { sendLines, sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { simpleParser } from 'mailparser';
import type { SendMailOptions } from 'nodemailer';
import type { Inbox, Message } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

let running: ServerWithSink;
let server: TestServer;
let sink: MailSink;
let inbox: Inbox;

beforeAll(async () => {
  running = await startServerWithSink();
  ({ server, sink } = running);
  inbox = await server.inbox();
});
afterAll(() => running.stop());

const ada = 'ada@remote.example';

/** Delivers a mail to the inbox and gives the message. */
const receive = async (mail: SendMailOptions = {}): Promise<Message> => {
  const marker = server.freshName('m');
  await sendMail(server.smtpPort, {
    from: `Ada Lovelace <${ada}>`,
    to: inbox.address,
    subject: 'Question',
    text: 'What is the answer?',
    messageId: `<${marker}@remote.example>`,
    envelope: { from: ada, to: inbox.address },
    ...mail,
  });
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id, limit: 1 });
  return messages[0] ?? expect.fail('The mail is not there.');
};

/** The copies of a message at the sink: to whom, and the mail as a client reads it. */
const sentCopies = async (message: { message_id: string }) => {
  const copies = sink.messages.filter((copy) => copy.messageId === message.message_id);
  const raw = copies[0]?.raw ?? expect.fail('Nothing was sent.');
  expectWellFormed(raw);
  return { to: copies.flatMap((copy) => copy.recipients).sort(), mail: await simpleParser(raw) };
};

test('Messages 4: a reply to a mail without References names what that answers, and it (RFC 5322, section 3.6.4)', async () => {
  const original = await receive({ inReplyTo: '<parent@remote.example>' });
  const reply = await server.client.messages.reply(original.id, { text: '42' });
  expect(reply.references).toEqual(['<parent@remote.example>', original.message_id]);
  const { mail } = await sentCopies(reply);
  expect(mail.references).toEqual([...reply.references, reply.message_id]);
});

test('Messages 4, Messages POST /messages/{id}/reply: derives recipients, subject and threading headers from the original, and answers the sent message', async () => {
  const original = await receive({ references: '<root@remote.example> <second@remote.example>' });
  const { data: reply, response } = await server.client.messages
    .reply(original.id, { text: '42' })
    .withResponse();
  expect(response.status).toBe(201);
  expect(reply).toMatchObject({
    direction: 'outbound',
    thread_id: original.thread_id,
    inbox_id: inbox.id,
    to_addrs: [ada],
    cc_addrs: [],
    subject: 'Re: Question',
    body_text: '42',
    in_reply_to: original.message_id,
    references: ['<root@remote.example>', '<second@remote.example>', original.message_id],
    delivery_status: 'sent',
    idempotent: false,
    dropped: [],
  });
  const { to, mail } = await sentCopies(reply);
  expect([to, mail.inReplyTo, mail.references]).toEqual([
    [ada],
    original.message_id,
    [...reply.references, reply.message_id],
  ]);
  expect((await server.client.threads.get(original.thread_id)).message_count).toBe(2);
});

test('Interface 4 Reply: goes to Reply-To, else to From', async () => {
  const original = await receive({ replyTo: ['desk@remote.example', 'Second <second@remote.example>'] });
  const reply = await server.client.messages.reply(original.id, { text: 'x' });
  expect(reply.to_addrs).toEqual(['desk@remote.example', 'second@remote.example']);
  expect((await sentCopies(reply)).to).toEqual(['desk@remote.example', 'second@remote.example']);
});

test('Interface 4 Reply: a reply to an own message goes to its recipients, and to those of the copy with reply_all', async () => {
  const sent = await server.client.messages.send({
    inbox_id: inbox.id,
    to: ['one@remote.example', 'two@remote.example'],
    cc: ['copy@remote.example'],
    bcc: ['blind@remote.example'],
    subject: 'Start',
  });
  const reply = await server.client.messages.reply(sent.id, { text: 'x' });
  expect([reply.to_addrs, reply.cc_addrs]).toEqual([['one@remote.example', 'two@remote.example'], []]);
  const all = await server.client.messages.reply(reply.id, { text: 'x', reply_all: true });
  expect([all.to_addrs, all.cc_addrs, all.bcc_addrs]).toEqual([reply.to_addrs, [], []]);
  const toAll = await server.client.messages.reply(sent.id, { text: 'x', reply_all: true });
  expect(toAll.cc_addrs).toEqual(['copy@remote.example']);
  expect((await sentCopies(toAll)).to).not.toContain('blind@remote.example');
});

test('Messages 4: reply_all adds To and Cc, without this inbox and without repeats', async () => {
  const original = await receive({
    to: [inbox.address.toUpperCase(), 'Bob <bob@remote.example>', ada],
    cc: ['BOB@remote.example', 'eve@remote.example', inbox.address],
  });
  const reply = await server.client.messages.reply(original.id, { text: 'x', reply_all: true });
  expect([reply.to_addrs, reply.cc_addrs]).toEqual([[ada], ['bob@remote.example', 'eve@remote.example']]);
  expect((await sentCopies(reply)).to).toEqual([ada, 'bob@remote.example', 'eve@remote.example']);
});

test('Messages 4: reply_all to more than 50 people is a 400, and a plain reply goes out', async () => {
  const to = Array.from({ length: 60 }, (_, i) => `p${i}@remote.example`);
  const original = await receive({ to });
  expect(
    await invalidFields(server.client.messages.reply(original.id, { text: 'x', reply_all: true })),
  ).toEqual(['reply_all']);
  expect((await server.client.messages.reply(original.id, { text: 'x' })).to_addrs).toEqual([ada]);
});

test('Interface 4 Reply: a mail of an inbox to itself is answered to itself', async () => {
  const original = await receive({
    from: inbox.address,
    envelope: { from: inbox.address, to: inbox.address },
  });
  expect((await server.client.messages.reply(original.id, { text: 'x' })).to_addrs).toEqual([inbox.address]);
});

test('Interface 4 Reply: one of text or html is needed', async () => {
  const original = await receive();
  expect(await invalidFields(server.client.messages.reply(original.id, {}))).toEqual(['text']);
  const reply = await server.client.messages.reply(original.id, {
    html: '<b>x</b>',
    attachments: [{ filename: 'a.txt', content: Buffer.from('file') }],
  });
  expect([reply.body_html, reply.body_text, reply.attachments.length]).toEqual(['<b>x</b>', null, 1]);
  expect((await sentCopies(reply)).mail.attachments.map((file) => file.content.toString())).toEqual(['file']);
});

test('Interface 4 Reply: prefixes are added once, in any language and case', async () => {
  const replies = {
    Hi: 'Re: Hi',
    'Re: Hi': 'Re: Hi',
    'RE: Hi': 'RE: Hi',
    'AW: Hi': 'AW: Hi',
    'SV: Hi': 'SV: Hi',
    'Antw: Hi': 'Antw: Hi',
    '': 'Re: ',
  };
  for (const [subject, expected] of Object.entries(replies)) {
    const reply = await server.client.messages.reply((await receive({ subject })).id, { text: 'x' });
    expect([subject, reply.subject.trim()]).toEqual([subject, expected.trim()]);
    const again = await server.client.messages.reply(reply.id, { text: 'x' });
    expect(again.subject).toBe(reply.subject);
  }
  const forwards = { Hi: 'Fwd: Hi', 'Fwd: Hi': 'Fwd: Hi', 'FW: Hi': 'FW: Hi', 'WG: Hi': 'WG: Hi' };
  for (const [subject, expected] of Object.entries(forwards)) {
    const forward = await server.client.messages.forward((await receive({ subject })).id, {
      to: ['b@remote.example'],
    });
    expect([subject, forward.subject]).toEqual([subject, expected]);
  }
});

test('Interface 4 Reply: an automatic message answers 409 auto_reply_loop unless forced', async () => {
  const marks: Record<string, string>[] = [
    { 'Auto-Submitted': 'auto-replied' },
    { Precedence: 'bulk' },
    { 'List-Id': '<list.example>' },
  ];
  for (const headers of marks) {
    const original = await receive({ headers });
    expect(original.auto_submitted).toBe(true);
    await catchApiError(server.client.messages.reply(original.id, { text: 'x' }), 'auto_reply_loop');
    expect(
      (await server.client.messages.reply(original.id, { text: 'x', force: true })).delivery_status,
    ).toBe('sent');
  }
});

test('Interface 4 Reply: a message that names nobody to answer is 422 no_deliverable_recipients', async () => {
  const lines = ['To: nobody', 'Subject: orphan', '', 'No From, and the null sender.'];
  await sendLines(server.smtpPort, { from: '', to: inbox.address }, lines);
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id, limit: 1 });
  const reply = server.client.messages.reply(messages[0]?.id ?? '', { text: 'x', force: true });
  await catchApiError(reply, 'no_deliverable_recipients', { blocked: [] });
});

test('Messages 5, Messages POST /messages/{id}/forward: prefixes the subject, sets threading headers and stays in the thread of the original', async () => {
  const original = await receive({ cc: 'eve@remote.example' });
  const { data: forward, response } = await server.client.messages
    .forward(original.id, {
      to: ['Bob <bob@remote.example>'],
      cc: ['carol@remote.example'],
      bcc: ['dan@remote.example'],
      text: 'Please look.',
    })
    .withResponse();
  expect(response.status).toBe(201);
  expect(forward).toMatchObject({
    subject: 'Fwd: Question',
    thread_id: original.thread_id,
    to_addrs: ['bob@remote.example'],
    cc_addrs: ['carol@remote.example'],
    bcc_addrs: ['dan@remote.example'],
    in_reply_to: original.message_id,
    references: [original.message_id],
    idempotent: false,
    dropped: [],
  });
  const { to, mail } = await sentCopies(forward);
  expect(to).toEqual(['bob@remote.example', 'carol@remote.example', 'dan@remote.example']);
  expect([mail.inReplyTo, mail.references]).toEqual([
    original.message_id,
    [original.message_id, forward.message_id],
  ]);
});

test('Interface 4 Forward: quotes the original under a header block', async () => {
  const original = await receive({ html: '<p>What is <b>the</b> answer?</p>', cc: 'eve@remote.example' });
  const forward = await server.client.messages.forward(original.id, {
    to: ['b@remote.example'],
    text: 'Please look.',
    html: '<p>Please <i>look</i>.</p>',
  });
  const text = forward.body_text ?? '';
  expect(text.indexOf('Please look.')).toBe(0);
  for (const part of [
    'Ada Lovelace',
    ada,
    'Question',
    inbox.address,
    'eve@remote.example',
    'What is the answer?',
  ])
    expect(text).toContain(part);
  for (const part of ['Please <i>look</i>', 'Ada Lovelace', 'What is <b>the</b> answer?'])
    expect(forward.body_html).toContain(part);
  const bare = await server.client.messages.forward((await receive()).id, { to: ['b@remote.example'] });
  expect(bare.body_text).toContain('What is the answer?');
});

test('Interface 4 Forward: carries the files of the original unless told otherwise', async () => {
  const original = await receive({
    html: '<p>See <img src="cid:logo@remote"></p>',
    attachments: [
      { filename: 'report Ü.pdf', content: Buffer.from('%PDF-1.7'), contentType: 'application/pdf' },
      { filename: 'logo.png', content: Buffer.from([137, 80, 78, 71]), cid: 'logo@remote' },
    ],
  });
  const to = ['b@remote.example'];
  const forward = await server.client.messages.forward(original.id, { to });
  const shapes = (files: Message['attachments']) =>
    files.map((file) => [file.filename, file.mime_type, file.size_bytes, file.content_id, file.inline]);
  expect(shapes(forward.attachments).sort()).toEqual(shapes(original.attachments).sort());
  const { mail } = await sentCopies(forward);
  expect(mail.attachments.map((file) => file.content.toString('latin1')).sort()).toEqual([
    '%PDF-1.7',
    '\x89PNG',
  ]);
  const without = await server.client.messages.forward(original.id, { to, include_attachments: false });
  expect(without.attachments).toEqual([]);
  const again = await server.client.messages.forward(forward.id, { to });
  expect(shapes(again.attachments).sort()).toEqual(shapes(original.attachments).sort());
});

test('Interface 7: forward takes texts of 5 MB, and a body of 10.5 MB at most', async () => {
  const { id } = await receive();
  const text = 'x'.repeat(limits.bodyTextBytesMax - 10_000);
  const forwarded = await server.client.messages.forward(id, { to: ['a@remote.example'], text });
  expect((await server.client.messages.get(forwarded.id)).body_text).toContain(text);
  const tooLarge = { to: ['a@remote.example'], text, html: text.repeat(2) };
  await catchApiError(server.client.messages.forward(id, tooLarge), 'payload_too_large');
});

test('Messages 3: forward of files over the limit is 413, and goes out without them', async () => {
  const original = await receive({
    attachments: [{ filename: 'big.bin', content: Buffer.alloc(7_340_033, 1) }],
  });
  const to = ['b@remote.example'];
  await catchApiError(server.client.messages.forward(original.id, { to }), 'attachment_too_large');
  const without = await server.client.messages.forward(original.id, { to, include_attachments: false });
  expect(without.delivery_status).toBe('sent');
});

/** Delivers a mail from another correspondent, since an inbox answers each a limited number of times. */
const receiveFrom = (from: string, mail: SendMailOptions = {}) =>
  receive({ from, envelope: { from, to: inbox.address }, ...mail });
const rita = 'rita@remote.example';

test('Messages 4: a reply to a mail whose Reply-To is the inbox itself goes to its author', async () => {
  const own = inbox.address.replace('@', '+tag@');
  for (const replyTo of [inbox.address, own, [inbox.address, own]]) {
    const original = await receiveFrom(rita, { replyTo });
    expect((await server.client.messages.reply(original.id, { text: '42' })).to_addrs).toEqual([rita]);
    const draft = await server.client.drafts.create({ inbox_id: inbox.id, reply_to_message_id: original.id });
    expect(draft.to).toEqual([rita]);
  }
  const others = await receiveFrom(rita, { replyTo: [inbox.address, 'bob@remote.example'] });
  const reply = await server.client.messages.reply(others.id, { text: '42', reply_all: true });
  expect([reply.to_addrs, reply.cc_addrs]).toEqual([['bob@remote.example'], []]);
});

test('Messages 4: an answer is matched by References where a relay has replaced the Message-ID', async () => {
  const sent = await server.client.messages.send({
    inbox_id: inbox.id,
    to: [ada],
    subject: 'Hello',
    text: 't',
  });
  const { mail } = await sentCopies(sent);
  const replaced = '<0100018f-replaced@relay.example>';
  const answer = await receive({ inReplyTo: replaced, references: [mail.references ?? [], replaced].flat() });
  expect(answer.thread_id).toBe(sent.thread_id);
});

test('Messages 4: a reply carries on the Thread-Index of Outlook, by which an answer without References is matched', async () => {
  const index = Buffer.from(`01d7${crypto.randomUUID().replaceAll('-', '')}01234567`, 'hex').toString(
    'base64',
  );
  const original = await receiveFrom(rita, { headers: { 'Thread-Index': index } });
  const reply = await server.client.messages.reply(original.id, { text: '42' });
  const sent = (await sentCopies(reply)).mail.headers.get('thread-index') as string;
  const bytes = (text: string) => Buffer.from(text, 'base64');
  expect(bytes(sent)).toHaveLength(27);
  expect(bytes(sent).subarray(0, 22)).toEqual(bytes(index));
  const answer = await receiveFrom(rita, {
    headers: { 'Thread-Index': Buffer.concat([bytes(sent), bytes('AAAAAAA=')]).toString('base64') },
  });
  expect(answer.thread_id).toBe(original.thread_id);
  // Strangers may write from one template.
  const stranger = await receiveFrom('bob@remote.example', { headers: { 'Thread-Index': index } });
  expect(stranger.thread_id).not.toBe(original.thread_id);
});
