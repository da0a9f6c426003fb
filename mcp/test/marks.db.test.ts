import {
  joinTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import type { Message } from 'postrider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHere, connectOverHttp, connectToCommand, type Host } from './connect.ts';
import { makeDesk } from './desk.ts';

let server: TestServer;
beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server?.stop());

const { mailTo } = makeDesk(() => server);
const receive = async () => mailTo(await server.inbox(), 'The pump');
const stateOf = async ({ id }: Message) => {
  const { read, labels } = await server.client.messages.get(id);
  return { read, labels: labels.map(({ name }) => name) };
};
const untouched = { read: false, labels: [] };
const changing = ['add_labels', 'mark_read', 'remove_labels'];

const connectTo = (how: string, owner: Pick<TestWorkspace, 'client' | 'key'>, readOnly = false) => {
  const at = { ...server, key: owner.key };
  if (how === 'a command') return connectToCommand(at, readOnly ? ['--read-only'] : []);
  return connectOverHttp(at, { query: readOnly ? '?read-only' : '' });
};
const getMessageOf = async ({ client }: Host) => {
  const { tools } = await client.listTools();
  const { inputSchema, annotations, description } = tools.find(({ name }) => name === 'get_message')!;
  const fields = Object.keys(inputSchema.properties ?? {});
  return {
    fields,
    changes: fields.filter((name) => changing.includes(name)).sort(),
    annotations,
    description,
  };
};

describe.each(['a command', 'HTTP'])('get_message over %s', (how) => {
  it('marks a mail only if it is asked to, and answers with what it is then', async () => {
    const mail = await receive();
    const host = await connectTo(how, server);
    expect(await getMessageOf(host)).toMatchObject({
      changes: changing,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    });
    const get = async (args = {}) => (await host.call('get_message', { message_id: mail.id, ...args })).data;
    expect(await get({ add_labels: [] })).toMatchObject({ read: false });
    expect(await stateOf(mail)).toEqual(untouched);
    const marked = await get({ mark_read: true, add_labels: ['done', 'pumps'] });
    expect(marked).toMatchObject({ read: true, labels: ['done', 'pumps'] });
    expect(marked.text).toContain('Where is my order?');
    expect(await stateOf(mail)).toEqual({ read: true, labels: ['done', 'pumps'] });
    // As some hosts write it.
    expect(await get({ mark_read: 'false', remove_labels: '["done"]' })).toMatchObject({ labels: ['pumps'] });
    expect(await stateOf(mail)).toEqual({ read: false, labels: ['pumps'] });
    await host.close();
  });

  it('has no marks with read-only, and is a tool that reads then', async () => {
    const mail = await receive();
    const host = await connectTo(how, server, true);
    const { changes, annotations, description } = await getMessageOf(host);
    expect([changes, annotations?.readOnlyHint]).toEqual([[], true]);
    expect(description).not.toContain('mark_read');
    const refused = await host.call('get_message', { message_id: mail.id, mark_read: true });
    expect(refused).toMatchObject({ isError: true, data: { error: 'invalid_request' } });
    expect((await host.call('get_message', { message_id: mail.id })).data).toMatchObject({ read: false });
    expect(await stateOf(mail)).toEqual(untouched);
    await host.close();
  });

  it('has no marks for a key that may only read, which cannot set them with an older list either', async () => {
    const owner = await server.workspace();
    const mail = await makeDesk(() => ({ ...server, ...owner })).mailTo(
      await server.inbox(owner),
      'The pump',
    );
    await server.rows('update api_keys set read_only = true where id = $1', [owner.keyId]);
    const host = await connectTo(how, owner);
    const { changes, annotations } = await getMessageOf(host);
    expect([changes, annotations?.readOnlyHint]).toEqual([[], true]);
    const get = (args: object) => host.call('get_message', { message_id: mail.id, ...args });
    expect(await get({ add_labels: ['x'] })).toMatchObject({
      isError: true,
      data: { error: 'sending_not_allowed' },
    });
    expect((await get({})).data).toMatchObject({ read: false });
    await host.close();
  });
});

describe('marks of a mail', () => {
  it('are set on no mail that was only meant, and on none that cannot be shown', async () => {
    const mail = await receive();
    const host = await connectHere(server);
    const nearly = `${mail.id.slice(0, -1)}${mail.id.endsWith('0') ? '1' : '0'}`;
    const near = { isError: true, data: { error: 'not_found', did_you_mean: [mail.id] } };
    expect(await host.call('get_message', { message_id: nearly, mark_read: true })).toMatchObject(near);
    expect((await host.call('get_message', { message_id: nearly })).data.message_id).toBe(mail.id);
    const noFile = { message_id: mail.id, mark_read: true, attachment_id: 'att_none' };
    expect(await host.call('get_message', noFile)).toMatchObject({ isError: true });
    expect(await stateOf(mail)).toEqual(untouched);
    await host.close();
  });

  it('are set in the inboxes that the tools may use only', async () => {
    const mail = await receive();
    const host = await connectHere(server, { inboxes: [(await server.inbox()).id] });
    const hidden = { isError: true, data: { error: 'not_found' } };
    expect(await host.call('get_message', { message_id: mail.id, mark_read: true })).toMatchObject(hidden);
    expect(await stateOf(mail)).toEqual(untouched);
    await host.close();
  });
});
