import { limits } from '@postrider/contract';
import { invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { receiveMessage } from '@postrider/testkit/mail/received-message.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const metadata = { order: '4711', 'a.b-c_D': '', emoji: '🦊' };

test('Interface 3 metadata: inboxes have it from their creation, and it is replaced as a whole', async () => {
  const { inboxes } = server.client;
  const inbox = await inboxes.create({ local_part: server.freshName(), metadata });
  expect(inbox.metadata).toEqual(metadata);
  expect((await inboxes.update(inbox.id, { display_name: 'Ada' })).metadata).toEqual(metadata);
  const changed = await inboxes.update(inbox.id, { metadata: { one: '1' } });
  expect(changed).toMatchObject({ metadata: { one: '1' }, display_name: 'Ada' });
  expect(await inboxes.get(inbox.id)).toEqual(changed);
  expect((await inboxes.update(inbox.id, {})).metadata).toEqual({ one: '1' });
  expect((await inboxes.update(inbox.id, { metadata: {} })).metadata).toEqual({});
  expect((await server.inbox()).metadata).toEqual({});
});

test('Interface 3 metadata: of sends, replies, forwards and drafts it is on the message and not in the mail', async () => {
  const received = await receiveMessage(server);
  const { messages, drafts } = server.client;
  expect(received.metadata).toEqual({});
  const to = ['ada@remote.example'];
  const sent = await messages.send({ inbox_id: received.inbox_id, to, subject: 'Hi', text: 'x', metadata });
  const reply = await messages.reply(received.id, { text: 'Yes.', metadata });
  const forward = await messages.forward(received.id, { to, metadata });
  const draft = await drafts.create({ inbox_id: received.inbox_id, to, subject: 'Later', metadata });
  expect(draft.metadata).toEqual(metadata);
  expect((await drafts.update(draft.id, { subject: 'Soon' })).metadata).toEqual(metadata);
  const posted = await drafts.send(draft.id);
  for (const { id } of [sent, reply, forward, posted]) {
    expect((await messages.get(id)).metadata).toEqual(metadata);
    const { url } = await messages.raw(id);
    expect(await (await fetch(url)).text()).not.toContain('4711');
  }
  expect((await messages.list({ inbox_id: received.inbox_id })).messages[0]?.metadata).toEqual(metadata);
});

test('Interface 3 metadata: of a received message it is set later, and events show it as it is then', async () => {
  const received = await receiveMessage(server);
  const changed = await server.client.messages.update(received.id, { metadata });
  expect(changed.metadata).toEqual(metadata);
  const { events } = await server.client.events.list({ inbox_id: received.inbox_id, wait_seconds: 60 });
  expect(events.find(({ message }) => message?.id === received.id)?.message?.metadata).toEqual(metadata);
});

test('Interface 3 metadata: 20 keys of 1 to 40 characters, text values up to 500 characters', async () => {
  const inbox = await server.inbox();
  const keys = Array.from({ length: limits.metadataKeysMax + 1 }, (_, i) => `key-${i}`);
  const refused: unknown[] = [
    Object.fromEntries(keys.map((key) => [key, ''])),
    { '': 'x' },
    { ['k'.repeat(41)]: 'x' },
    { 'a b': 'x' },
    { ä: 'x' },
    ['x'],
    'x',
    null,
    JSON.parse('{"__proto__":"x"}'),
  ];
  const update = (value: unknown) => server.client.inboxes.update(inbox.id, { metadata: value as never });
  for (const value of refused)
    expect([value, await invalidFields(update(value))]).toEqual([value, ['metadata']]);
  for (const value of ['v'.repeat(501), 7, null, { a: 'b' }, 'a\u0000b'])
    expect([value, await invalidFields(update({ key: value }))]).toEqual([value, ['metadata.key']]);
  const largest = Object.fromEntries(keys.slice(1).map((key) => [key.padEnd(40, 'x'), '🦊'.repeat(500)]));
  expect((await update(largest)).metadata).toEqual(largest);
  expect((await server.client.inboxes.get(inbox.id)).metadata).toEqual(largest);
});
