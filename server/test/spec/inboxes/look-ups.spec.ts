import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { receiveMessage } from '@postrider/testkit/mail/received-message.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

test('Interface 4 GET /inboxes: address finds the inbox that has it, in any spelling of it', async () => {
  const other = await server.workspace();
  const [inbox, foreign] = [await server.inbox(), await server.inbox(other)];
  const found = async (address: string) =>
    (await server.client.inboxes.list({ address })).inboxes.map(({ id }) => id);
  expect(await found(inbox.address)).toEqual([inbox.id]);
  expect(await found(` ${inbox.address.toUpperCase()} `)).toEqual([inbox.id]);
  for (const address of [foreign.address, inbox.address.replace('@', '+tag@'), 'nobody@remote.example'])
    expect(await found(address)).toEqual([]);
  await server.client.inboxes.delete(inbox.id);
  expect(await found(inbox.address)).toEqual([]);
  for (const address of ['', 'x', 'a@b@c'])
    expect(await invalidFields(Promise.resolve(server.client.inboxes.list({ address })))).toEqual([
      'address',
    ]);
});

test('Interface 4 GET /labels: name finds the label that has it, without regard to case', async () => {
  const { labels } = server.client;
  const label = await labels.create({ name: server.freshName('Ärger') });
  await labels.create({ name: server.freshName('Ärger') });
  expect((await labels.list({ name: label.name.toUpperCase() })).labels).toEqual([label]);
  expect((await labels.list({ name: `${label.name}x` })).labels).toEqual([]);
});

test("Interface 2 address_taken: says why, and names the inbox that is the caller's own", async () => {
  const other = await server.workspace();
  const [own, foreign] = [await server.inbox(), await server.inbox(other)];
  const create = (local_part: string) =>
    catchApiError(server.client.inboxes.create({ local_part }), 'address_taken');
  expect(await create(own.local_part.toUpperCase())).toMatchObject({ reason: 'taken', inbox_id: own.id });
  const taken = await create(foreign.local_part);
  expect(taken).toMatchObject({ reason: 'taken' });
  expect(taken).not.toHaveProperty('inbox_id');
  expect(await create('postmaster')).toMatchObject({ reason: 'reserved' });
  await other.client.inboxes.delete(foreign.id);
  const held = await create(foreign.local_part);
  expect(held).toMatchObject({ reason: 'held' });
  expect(JSON.stringify(held)).not.toContain(foreign.id);
});

test('Interface 2 not_found: param names the path parameter or the field whose id names nothing', async () => {
  const { client } = server;
  const { id, inbox_id } = await receiveMessage(server);
  const draft = await client.drafts.create({ inbox_id });
  const label = await client.labels.create({ name: server.freshName() });
  const message = { to: 'ada@remote.example', subject: 'x', text: 'x' };
  const hook = { url: 'https://agent.example.com/hooks', events: ['message.received' as const] };
  const calls: [string, () => PromiseLike<unknown>][] = [
    ['id', () => client.inboxes.get(newId('inb'))],
    ['id', () => client.messages.reply('msg_x', { text: 'x' })],
    ['inbox_id', () => client.messages.send({ inbox_id: newId('inb'), ...message })],
    ['inbox_id', () => client.messages.check({ inbox_id: 'inb_x', ...message })],
    ['inbox_id', () => client.messages.list({ inbox_id: newId('inb') })],
    ['thread_id', () => client.messages.list({ thread_id: newId('thr') })],
    ['label_id', () => client.threads.list({ label_id: newId('lbl') })],
    ['reply_to_message_id', () => client.drafts.create({ inbox_id, reply_to_message_id: newId('msg') })],
    ['reply_to_message_id', () => client.drafts.update(draft.id, { reply_to_message_id: newId('msg') })],
    ['inbox_id', () => client.drafts.create({ inbox_id: newId('inb') })],
    ['message_id', () => client.labels.assign(label.id, { message_id: newId('msg') })],
    ['id', () => client.labels.assign(newId('lbl'), { message_id: id })],
    ['domain_id', () => client.inboxes.create({ local_part: server.freshName(), domain_id: newId('dom') })],
    ['inbox_ids', () => client.webhooks.create({ ...hook, inbox_ids: [inbox_id, newId('inb')] })],
    ['address', () => client.suppressions.delete('nobody@remote.example')],
    ['inbox_id', () => client.events.list({ inbox_id: newId('inb') })],
  ];
  for (const [param, call] of calls)
    expect(await catchApiError(Promise.resolve(call()), 'not_found')).toMatchObject({ param });
  expect((await server.request('/v1/nothing')).body).toMatchObject({ error: 'not_found', param: null });
});
