import { invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { Inbox, SendMessageParams } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

let running: ServerWithSink;
let inbox: Inbox;

beforeAll(async () => {
  running = await startServerWithSink();
  inbox = await running.server.inbox();
});
afterAll(() => running.stop());

const to = () => `${running.server.freshName('rcpt')}@remote.example`;
const send = (change: Partial<SendMessageParams>) =>
  running.server.client.messages.send({ inbox_id: inbox.id, to: [to()], subject: 's', ...change });
/** Sends a message and reads it back. */
const sent = async (change: Partial<SendMessageParams>) =>
  running.server.client.messages.get((await send(change)).id);
const file = { filename: 'a.bin', content_base64: 'AQID' };

test('Limits: an entry that is named twice counts twice', async () => {
  const [twice, blind] = [to(), to()];
  const people = Array.from({ length: 48 }, to);
  expect((await sent({ to: [...people, twice], cc: [twice] })).recipients).toHaveLength(49);
  expect(await invalidFields(send({ to: [...people, twice], cc: [twice], bcc: [blind] }))).toEqual(['to']);
});

test('Limits: filename, content_type and content_id have at most 255 characters, and a file has a name', async () => {
  const longest = {
    filename: '🦊'.repeat(255),
    content_type: `text/plain; note=${'x'.repeat(238)}`,
    content_id: 'c'.repeat(255),
  };
  const [attachment] = (await sent({ attachments: [{ ...file, ...longest }] })).attachments;
  expect(attachment).toMatchObject({ mime_type: 'text/plain', content_id: longest.content_id });
  for (const [field, value] of Object.entries({ ...longest, filename: 'f'.repeat(255) }))
    expect(await invalidFields(send({ attachments: [{ ...file, [field]: `${value}x` }] }))).toEqual([
      `attachments.0.${field}`,
    ]);
  expect(await invalidFields(send({ attachments: [{ ...file, filename: '' }] }))).toEqual([
    'attachments.0.filename',
  ]);
});

test('Interface 4 Send: a custom header has a name of at most 76 characters and a value of at most 998', async () => {
  const name = `X-${'n'.repeat(74)}`;
  await send({ headers: { [name]: 'v'.repeat(998), 'X-Empty': '' } });
  expect(await invalidFields(send({ headers: { [`${name}n`]: 'v' } }))).toEqual([`headers.${name}n`]);
  expect(await invalidFields(send({ headers: { 'X-A': 'v'.repeat(999) } }))).toEqual(['headers.X-A']);
});

test('Messages in_reply_to, Messages references: have at most 900 characters each, and brackets are added', async () => {
  const id = (length: number) => `${'i'.repeat(length - 10)}@x.example`;
  const message = await sent({ in_reply_to: id(900), references: ['a@x.example', '<b@x.example>'] });
  expect(message.in_reply_to).toBe(`<${id(900)}>`);
  expect(message.references).toEqual(['<a@x.example>', '<b@x.example>']);
  expect(await invalidFields(send({ in_reply_to: id(901) }))).toEqual(['in_reply_to']);
  expect(await invalidFields(send({ references: ['a@x.example', id(901)] }))).toEqual(['references.1']);
  for (const malformed of ['<a@x.example', 'a b@x.example', '<>', ''])
    expect(await invalidFields(send({ in_reply_to: malformed }))).toEqual(['in_reply_to']);
});

test('Messages attachments: content_base64 is standard base64 with padding, in lines or in one, and may be empty', async () => {
  const contents = { 'in-lines.bin': 'AQ\r\nID\nBAUG', 'padded.bin': 'AQ==', 'empty.bin': '' };
  const attachments = Object.entries(contents).map(([filename, content_base64]) => ({
    filename,
    content_base64,
  }));
  const message = await sent({ attachments });
  expect(message.attachments.map(({ filename, size_bytes }) => [filename, size_bytes])).toEqual([
    ['in-lines.bin', 6],
    ['padded.bin', 1],
    ['empty.bin', 0],
  ]);
  for (const content_base64 of ['AQ', '-_-_', 'data:text/plain;base64,AQ==', 'A Q=='])
    expect(await invalidFields(send({ attachments: [{ ...file, content_base64 }] }))).toEqual([
      'attachments.0.content_base64',
    ]);
});

test('Interface 3 Attachment: content_id is taken with or without brackets and answered without', async () => {
  const attachments = ['<logo@a>', 'sign@a'].map((content_id) => ({ ...file, content_id }));
  const message = await sent({ attachments });
  expect(message.attachments.map(({ content_id }) => content_id)).toEqual(['logo@a', 'sign@a']);
});

test('Messages POST /messages: the envelope sender of what a relay gets is a return path, and in the sandbox the inbox', async () => {
  const recipient = to();
  await send({ to: [recipient], reply_to: 'elsewhere@remote.example' });
  const [copy] = running.sink.copiesFor(recipient);
  expect(copy?.from).toMatch(/^bounces\+[0-9a-z]{56}@postrider\.test$/);
  const test = await running.server.workspace({ isTest: true });
  const [from, reached] = [await running.server.inbox(test), await running.server.inbox(test)];
  await test.client.messages.send({ inbox_id: from.id, to: [reached.address], subject: 's', text: 't' });
  const { messages } = await test.client.messages.list({ inbox_id: reached.id, direction: 'inbound' });
  expect(messages.map(({ envelope_from }) => envelope_from)).toEqual([from.address]);
});
