import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectOverHttp, connectToCommand, type Era, type Host } from './connect.ts';

let server: TestServer;
beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server?.stop());

const overHttp = (era: Era, key = server.key, query = '') =>
  connectOverHttp({ ...server, key }, { era, query });

const ways: [string, Era, () => Promise<Host>][] = (['legacy', 'modern'] as const).flatMap((era) => [
  ['standard input and output', era, () => connectToCommand(server, [], era)],
  ['HTTP', era, () => overHttp(era)],
]);

describe.each(ways)('over %s, with the protocol of the %s era', (_, __, open) => {
  it('an agent makes an inbox, sends, waits, replies and reads the thread', async () => {
    const host = await open();
    const [from, to] = [server.freshName(), server.freshName()];
    const agent = (await host.call('create_inbox', { local_part: from })).data;
    const person = (await host.call('create_inbox', { local_part: to })).data;
    expect((await host.call('create_inbox', { local_part: from })).data.inbox_id).toBe(agent.inbox_id);
    const sent = (
      await host.call('send_message', {
        inbox_id: agent.inbox_id,
        to: [person.address],
        subject: 'Lunch?',
        text: 'At noon?',
      })
    ).data;
    const arrived = (await host.call('search_messages', { inbox_id: person.address, wait_seconds: 55 })).data
      .messages[0];
    await host.call('reply_to_message', { message_id: arrived.message_id, text: 'Yes, at noon.' });
    const wait = { thread_id: sent.thread_id, direction: 'inbound', wait_seconds: 55 };
    const reply = (await host.call('search_messages', wait)).data.messages[0];
    expect(reply.text).toContain('Yes, at noon.');
    const thread = (await host.call('get_thread', { thread_id: sent.thread_id })).data;
    expect(thread.messages.map(({ direction }: { direction: string }) => direction)).toEqual([
      'inbound',
      'outbound',
    ]);
    await host.close();
  });
});

describe('the command', () => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const run = (args: string[], env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [main, ...args], {
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
      timeout: 300_000,
    });

  it.each([
    ['without a key', [], {}],
    ['with an unknown option', ['--draft-only'], { POSTRIDER_API_KEY: 'pr_test_x' }],
    ['with an unknown tool', ['--tools', 'send_mail'], { POSTRIDER_API_KEY: 'pr_test_x' }],
  ])('ends %s, with a sentence on standard error and nothing on standard output', (_, args, env) => {
    const { status, stdout, stderr } = run(args, env as unknown as Record<string, string>);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^@postrider\/mcp: \S.*\n$/);
    expect(stderr).not.toContain('    at ');
  });

  it('prints its help and its version', () => {
    expect(run(['--help']).stdout).toContain('--drafts-only');
    expect(run(['--version']).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('/mcp', () => {
  const post = (headers: Record<string, string>, path = '/mcp') =>
    fetch(server.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
  const bearer = () => ({ authorization: `Bearer ${server.key}` });

  it.each(['legacy', 'modern'] satisfies Era[])(
    'tells a client of the %s era that a wait goes on',
    async (era) => {
      const inbox = await server.inbox();
      const { client, close } = await overHttp(era);
      const steps: (string | undefined)[] = [];
      await client.callTool(
        { name: 'search_messages', arguments: { inbox_id: inbox.id, wait_seconds: 1 } },
        { onprogress: ({ message }) => steps.push(message) },
      );
      expect(steps[0]).toBe('Waiting for mail, 1 s left');
      await close();
    },
  );

  it('ends with its key, at the next request', async () => {
    const other = await server.workspace();
    const { client, close } = await overHttp('modern', other.key);
    await client.listTools();
    await server.rows('update api_keys set revoked_at = now() where id = $1', [other.keyId]);
    await expect(client.callTool({ name: 'list_inboxes', arguments: {} })).rejects.toThrow();
    await close();
  });

  it('needs a key', async () => {
    for (const headers of [{}, { authorization: 'Bearer pr_live_wrong' }]) {
      const response = await post(headers as Record<string, string>);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: 'invalid_token' });
    }
  });

  it('refuses a batch, which would be many calls for one', async () => {
    const response = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...bearer(),
      },
      body: JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }]),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  });

  it('keeps no stream open for changes that it never tells of', async () => {
    const { client, close } = await overHttp('modern');
    const subscription = await client.listen({ toolsListChanged: true, resourcesListChanged: true });
    expect(subscription.honoredFilter).toEqual({});
    await expect(subscription.closed).resolves.toBe('graceful');
    await close();
  });

  it('refuses pages of other origins', async () => {
    expect((await post({ ...bearer(), origin: 'https://evil.test' })).status).toBe(403);
    expect((await post(bearer())).status).toBe(200);
  });

  it('takes the settings from the URL, and refuses those that it does not know', async () => {
    const host = await overHttp('modern', server.key, '?read-only&tools=get_message,send_message');
    expect((await host.client.listTools()).tools.map(({ name }) => name)).toEqual(['get_message']);
    await host.close();
    const response = await post(bearer(), '/mcp?readonly');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: 'invalid_request',
      issues: [{ message: expect.stringContaining('readonly') }],
    });
  });

  it('shows one workspace nothing of another', async () => {
    const stranger = await server.workspace();
    const inbox = await server.inbox();
    const host = await overHttp('modern', stranger.key);
    expect((await host.call('list_inboxes')).data.inboxes).toEqual([]);
    expect(await host.call('search_messages', { inbox_id: inbox.id })).toMatchObject({
      isError: true,
      data: { error: 'not_found' },
    });
    await host.close();
  });
});
