import { forbiddenHeaderPrefixes, limits } from '@postrider/contract';
import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { Inbox, SendMessageParams } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
let inbox: Inbox;

beforeAll(async () => {
  server = await joinTestServer();
  inbox = await server.inbox();
});
afterAll(() => server.stop());

const send = (change: Partial<SendMessageParams>) =>
  server.client.messages.send({ inbox_id: inbox.id, to: ['a@b.example'], subject: 's', ...change });
const people = (count: number, prefix = 'p') =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@remote.example`);
const file = (bytes: number, filename = 'a.bin') => ({ filename, content: Buffer.alloc(bytes, 7) });
const stored = async () => {
  const count = 'select count(*) from messages where workspace_id = $1';
  return (await server.rows<{ count: number }>(count, [server.id]))[0]?.count;
};

test('Limits: 50 recipients in To, Cc and Bcc together, and not one more', async () => {
  const lists = { to: people(20), cc: people(20, 'c'), bcc: people(10, 'b') };
  const { id } = await send(lists);
  expect((await server.client.messages.get(id)).recipients).toHaveLength(50);
  expect(await invalidFields(send({ ...lists, bcc: people(11, 'b') }))).toEqual(['to']);
  expect(await invalidFields(send({ to: people(51) }))).toEqual(['to']);
});

test('Limits: a subject of 998 characters, and not one more', async () => {
  for (const subject of ['x'.repeat(998), '🦊'.repeat(998), 'é '.repeat(499)]) {
    const { id } = await send({ subject });
    expect((await server.client.messages.get(id)).subject).toBe(subject);
    expect(await invalidFields(send({ subject: `${subject}x` }))).toEqual(['subject']);
  }
});

test('Limits: text and html of 5 MB each, and not a byte more', async () => {
  const text = 'x'.repeat(limits.bodyTextBytesMax);
  const { id } = await send({ text });
  expect((await server.client.messages.get(id)).body_text?.length).toBe(limits.bodyTextBytesMax);
  expect(await invalidFields(send({ text: `${text}x` }))).toEqual(['text']);
  expect(await invalidFields(send({ html: `${text.slice(0, -1)}é` }))).toEqual(['html']);
});

test('Limits: 50 references, 25 headers, 100 attachments, a client_id of 255 characters', async () => {
  const references = people(51).map((each) => `<${each}>`);
  await send({ references: references.slice(0, 50) });
  expect(await invalidFields(send({ references }))).toEqual(['references']);
  const headers = Object.fromEntries(people(26).map((each, i) => [`X-H${i}`, each]));
  expect(await invalidFields(send({ headers }))).toEqual(['headers']);
  delete headers['X-H25'];
  await send({ headers });
  const attachments = Array.from({ length: 101 }, (_, i) => file(10, `${i}.txt`));
  expect(await invalidFields(send({ attachments }))).toEqual(['attachments']);
  const { id } = await send({ attachments: attachments.slice(1) });
  expect((await server.client.messages.get(id)).attachments).toHaveLength(100);
  await send({ client_id: 'x'.repeat(255) });
  expect(await invalidFields(send({ client_id: 'x'.repeat(256) }))).toEqual(['client_id']);
  expect(await invalidFields(send({ client_id: '' }))).toEqual(['client_id']);
});

test('Interface 4 Send: headers are named X-… or List-… and are none that a provider reads as a command', async () => {
  for (const prefix of forbiddenHeaderPrefixes) {
    const name = prefix.endsWith('-') ? `${prefix}Anything` : prefix;
    for (const spelling of [name, name.toUpperCase()])
      expect(await invalidFields(send({ headers: { [spelling]: 'x' } }))).toEqual([`headers.${spelling}`]);
  }
  for (const name of [
    'From',
    'Bcc',
    'Received',
    'X',
    'X-',
    'X-Ä',
    'X-a b',
    'X-a:',
    'Content-Type',
    'x_a',
    `X-${'a'.repeat(76)}`,
  ])
    expect(await invalidFields(send({ headers: { [name]: 'x' } }))).toEqual([`headers.${name}`]);
  expect(await invalidFields(send({ headers: { 'X-A': '1', 'x-a': '2' } }))).toEqual(['headers.x-a']);
});

test('Messages 3, Errors 413 attachment_too_large, Limits Attachments per email: over 7,340,032 bytes in total, before anything is sent', async () => {
  const before = await stored();
  const half = limits.attachmentBytesMax / 2;
  const over = send({ attachments: [file(half), file(half + 1)], client_id: 'too-large' });
  await catchApiError(over, 'attachment_too_large', { limit_bytes: 7_340_032 });
  expect(await stored()).toEqual(before);
  const exact = await send({ attachments: [file(half), file(half)], client_id: 'too-large' });
  expect(exact.idempotent).toBe(false);
  const { attachments } = await server.client.messages.get(exact.id);
  expect(attachments.map((each) => each.size_bytes)).toEqual([half, half]);
});

test('Interface 2: a composed message over 10,485,760 bytes is attachment_too_large with attachments, else payload_too_large', async () => {
  const before = await stored();
  const text = 'x'.repeat(limits.bodyTextBytesMax);
  await catchApiError(send({ text, html: text }), 'payload_too_large', { limit_bytes: 10_485_760 });
  // Each becomes two bytes.
  for (const end of ['\r', '\n'])
    await catchApiError(send({ text: end.repeat(5 * 1_048_576) }), 'payload_too_large', {
      limit_bytes: 10_485_760,
    });
  const attachments = [file(limits.attachmentBytesMax)];
  await catchApiError(send({ text: 'x'.repeat(700_000), attachments }), 'attachment_too_large', {
    limit_bytes: 10_485_760,
  });
  expect(await stored()).toEqual(before);
});

test('Interface 2: routes with attachments read 34 MB: over 10.5 MB it is the attachments if these are too large, else the rest', async () => {
  const post = (body: object | string) =>
    server.request('/v1/messages', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const message = { inbox_id: inbox.id, to: ['a@b.example'], subject: 's' };
  const large = { filename: 'a', content_base64: 'A'.repeat(28 * 1_048_576) };
  expect((await post({ ...message, attachments: [large] })).body).toMatchObject({
    error: 'attachment_too_large',
    limit_bytes: limits.attachmentBytesMax,
  });
  expect((await post({ ...message, text: 'x'.repeat(11 * 1_048_576) })).body).toMatchObject({
    error: 'payload_too_large',
    limit_bytes: 11_010_048,
  });
  expect((await post('{"a":'.padEnd(35 * 1_048_576))).body).toMatchObject({
    error: 'payload_too_large',
    limit_bytes: 35_651_584,
  });
  for (const odd of [{ attachments: 'x' }, { attachments: [null, 7, { content_base64: 7 }] }])
    expect((await post({ ...message, ...odd, text: 'x'.repeat(11 * 1_048_576) })).body.error).toBe(
      'payload_too_large',
    );
});

test('Interface 2: other routes read 1 MB', async () => {
  const body = { local_part: 'x', display_name: 'x'.repeat(1_048_576) };
  const { status, body: answer } = await server.request('/v1/inboxes', { method: 'POST', body });
  expect([status, answer.error, answer.limit_bytes]).toEqual([413, 'payload_too_large', 1_048_576]);
  const within = { ...body, display_name: 'x'.repeat(1_000_000) };
  expect((await server.request('/v1/inboxes', { method: 'POST', body: within })).status).toBe(400);
});

test('Messages: NUL and halves of characters in a text become what a mail can hold', async () => {
  const { id } = await send({ subject: 'cut \ud83e', text: 'a\0b \udd8a c', html: '<p>\0\ud800</p>' });
  const message = await server.client.messages.get(id);
  expect([message.subject, message.body_text, message.body_html]).toEqual([
    'cut \ufffd',
    'ab \ufffd c',
    '<p>\ufffd</p>',
  ]);
});

test('Messages: what is no address is a 400, and so is one that no mail can reach', async () => {
  const bad = [
    '',
    'ada',
    '@b.example',
    'a@',
    'a@b..example',
    'a@-b.example',
    'a b@c.example',
    'a@b.example, c@d.example',
  ];
  const worse = [
    '<a@b.example',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@b.example\u202e',
    `${'x'.repeat(65)}@b.example`,
  ];
  const longDomain = `a@${`${'ü'.repeat(50)}.`.repeat(4)}example`;
  for (const to of [...bad, ...worse, longDomain])
    expect([to, await invalidFields(send({ to: ['fine@b.example', to] }))]).toEqual([to, ['to.1']]);
});
