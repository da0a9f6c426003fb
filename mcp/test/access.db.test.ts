import {
  joinTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operator } from '../../server/src/audit/append-audit.ts';
import { setPolicy } from '../../server/src/policies/set-policy.ts';
import { shareContext, toolNames } from '../src/index.ts';
import { openSettings } from '../src/settings.ts';
import { connectHere, connectOverHttp, connectToCommand, type Era, type Host } from './connect.ts';

let server: TestServer;
beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server?.stop());

const sending = ['forward_message', 'reply_to_message', 'send_draft', 'send_message'];
/** The tools that a key has not got if it sends nothing: it sets up no other way out, either. */
const waysOut = ['add_domain', 'create_webhook', ...sending];
const listNames = async ({ client }: Host) => (await client.listTools()).tools.map(({ name }) => name);
const missing = async (host: Host) => {
  const names = await listNames(host);
  return toolNames.filter((name) => !names.includes(name)).sort();
};
const setFor = (owner: TestWorkspace, send: 'allow' | 'never', inboxId?: string) => {
  const at = inboxId
    ? ({ level: 'inbox', subjectId: inboxId } as const)
    : ({ level: 'workspace', subjectId: owner.id } as const);
  return setPolicy(server.server.deps, { workspaceId: owner.id, ...at }, { send }, operator);
};
const openHost = async (how: string, owner: TestWorkspace): Promise<Host> => {
  if (how === 'a command') return connectToCommand({ ...server, key: owner.key });
  if (how === 'HTTP') return connectOverHttp({ ...server, key: owner.key });
  return connectHere(owner);
};

describe.each(['this process', 'a command', 'HTTP'])('the tools over %s', (how) => {
  it('are those that people allow now', async () => {
    const owner = await server.workspace();
    const host = await openHost(how, owner);
    expect(await missing(host)).toEqual([]);
    await setFor(owner, 'never');
    expect(await missing(host)).toEqual(waysOut);
    await setFor(owner, 'allow');
    expect(await missing(host)).toEqual([]);
    await host.close();
  });
});

describe('the tools of a key', () => {
  it('that may only read are those that read', async () => {
    const owner = await server.workspace();
    await server.rows('update api_keys set read_only = true where id = $1', [owner.keyId]);
    const host = await connectHere(owner);
    const { tools } = await host.client.listTools();
    expect(tools.length).toBeGreaterThan(5);
    expect(new Set(tools.map(({ annotations }) => annotations?.readOnlyHint))).toEqual(new Set([true]));
    await host.close();
  });

  it('that is for some inboxes are those that change no others, and none of these is seen', async () => {
    const owner = await server.workspace();
    const [own, other] = [await server.inbox(owner), await server.inbox(owner)];
    for (const { address } of [own, other])
      await sendMail(server.smtpPort, {
        from: 'ada@remote.example',
        to: address,
        subject: address,
        text: 'Hi',
      });
    const [theirs] = (await owner.client.messages.list({ inbox_id: other.id })).messages;
    await server.rows('update api_keys set inbox_ids = $2 where id = $1', [owner.keyId, [own.id]]);
    const host = await connectOverHttp({ ...server, key: owner.key });
    const ofAll = ['add_address_rule', 'add_domain', 'create_inbox', 'delete_address_rule', 'delete_inbox'];
    expect(await missing(host)).toEqual(ofAll);
    const { resources } = await host.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([expect.stringContaining(own.id)]);
    for (const [tool, args] of [
      ['list_inboxes', {}],
      ['search_messages', {}],
      ['search_messages', { query: other.address }],
      ['list_threads', {}],
    ] as const)
      expect(JSON.stringify(await host.call(tool, args)), tool).not.toMatch(
        new RegExp(`${other.id}|${other.address}|${theirs?.id}`),
      );
    for (const [tool, args] of [
      ['get_message', { message_id: theirs?.id }],
      ['get_thread', { thread_id: theirs?.thread_id }],
      ['search_messages', { inbox_id: other.id }],
    ] as const)
      expect(await host.call(tool, args), tool).toMatchObject({
        isError: true,
        data: { error: 'not_found' },
      });
    await host.close();
  });

  it('make drafts where nothing may be sent, if they are asked for drafts only', async () => {
    const owner = await server.workspace();
    await setFor(owner, 'never');
    const inbox = await server.inbox(owner);
    const host = await connectHere(owner, { draftsOnly: true });
    expect(await listNames(host)).toContain('send_message');
    const args = { inbox_id: inbox.id, to: 'ada@remote.example', subject: 'x', text: 'x' };
    expect((await host.call('send_message', args)).data.outcome).toBe('drafted');
    await host.close();
  });

  it('send nothing if none of the inboxes may that it was started for', async () => {
    const owner = await server.workspace();
    const [quiet, free] = [await server.inbox(owner), await server.inbox(owner)];
    await setFor(owner, 'never', quiet.id);
    const one = await connectHere(owner, { inboxes: [quiet.address] });
    expect(await listNames(one)).not.toContain('send_message');
    const both = await connectHere(owner, { inboxes: [quiet.id, free.id] });
    expect(await listNames(both)).toContain('send_message');
    await Promise.all([one.close(), both.close()]);
  });

  it('refuse a client with an older list, and say where it is not allowed', async () => {
    const owner = await server.workspace();
    const inbox = await server.inbox(owner);
    const host = await connectHere(owner);
    await setFor(owner, 'never');
    const args = { inbox_id: inbox.id, to: 'ada@remote.example', subject: 'x', text: 'x' };
    expect(await host.call('send_message', args)).toMatchObject({
      isError: true,
      data: { error: 'sending_not_allowed', at: 'workspace', next: expect.stringContaining('Do not call') },
    });
    await host.close();
  });
});

describe('a client of the command', () => {
  it.each(['legacy', 'modern'] satisfies Era[])(
    'of the %s era is told once sending was refused',
    async (era) => {
      const owner = await server.workspace();
      const inbox = await server.inbox(owner);
      const host = await connectToCommand({ ...server, key: owner.key }, [], era);
      expect(await missing(host)).toEqual([]);
      const told = new Promise<void>((resolve) => {
        host.client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
      });
      if (era === 'modern') await host.client.listen({ toolsListChanged: true });
      await setFor(owner, 'never');
      await host.call('send_message', {
        inbox_id: inbox.id,
        to: 'a@remote.example',
        subject: 'x',
        text: 'x',
      });
      await told;
      expect(await missing(host)).toEqual(waysOut);
      await host.close();
    },
  );
});

describe('what people allow', () => {
  it('is looked at from time to time', async () => {
    const owner = await server.workspace();
    const { access } = shareContext({ client: owner.client, secret: 'x', settings: openSettings });
    const end = new AbortController();
    const told = new Promise<void>((resolve) => access.watch(50, end.signal, resolve));
    await access.refresh();
    await setFor(owner, 'never');
    await told;
    end.abort();
    expect(access.known).toEqual({ access: 'workspace', sends: false, held: true });
  });
});
