import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolNames } from '../src/index.ts';
import { connectHere, connectOverHttp, connectToCommand, type Era, type Host } from './connect.ts';

let server: TestServer;
beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server?.stop());

const mail = async (inbox: Inbox, subject: string) => {
  await sendMail(server.smtpPort, {
    from: 'ada@remote.example',
    to: inbox.address,
    subject,
    text: 'Where is my order?',
    envelope: { from: 'ada@remote.example', to: inbox.address },
  });
  await server.filed();
  return (await server.client.messages.list({ inbox_id: inbox.id, subject })).messages[0]!;
};

describe('resources', () => {
  it('are inboxes, threads and messages, with what the tools answer', async () => {
    const inbox = await server.inbox();
    const { id, thread_id } = await mail(inbox, 'Order');
    const { client, call, close } = await connectHere(server);
    const { resources } = await client.listResources();
    expect(resources).toContainEqual(
      expect.objectContaining({ uri: `postrider://inbox/${inbox.id}`, name: inbox.address }),
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate).sort()).toEqual([
      'postrider://inbox/{id}',
      'postrider://message/{id}',
      'postrider://thread/{id}',
    ]);
    const read = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      return JSON.parse((content as { text: string }).text.replace(/untrusted-[0-9a-f]{8}/g, 'untrusted'));
    };
    const tool = async (name: string, args: object) =>
      JSON.parse((await call(name, { ...args })).text.replace(/untrusted-[0-9a-f]{8}/g, 'untrusted'));
    expect(await read(`postrider://message/${id}`)).toEqual(await tool('get_message', { message_id: id }));
    expect(await read(`postrider://thread/${thread_id}`)).toEqual(await tool('get_thread', { thread_id }));
    expect((await read(`postrider://inbox/${inbox.id}`)).messages).toHaveLength(1);
    await expect(read('postrider://message/msg_none')).rejects.toThrow();
    await close();
  });

  it('are those that the settings allow', async () => {
    const [own, other] = [await server.inbox(), await server.inbox()];
    const secret = await mail(other, 'Secret');
    const limited = await connectHere(server, { inboxes: [own.id] });
    expect((await limited.client.listResources()).resources.map(({ name }) => name)).toEqual([own.address]);
    for (const uri of [`inbox/${other.id}`, `message/${secret.id}`, `thread/${secret.thread_id}`])
      await expect(limited.client.readResource({ uri: `postrider://${uri}` })).rejects.toThrow();
    await limited.close();
    const sending = await connectHere(server, { tools: ['send_message'] });
    expect((await sending.client.listResourceTemplates()).resourceTemplates).toEqual([]);
    await sending.close();
  });

  const ways: [string, Era, () => Promise<Host>][] = [
    ['a command', 'legacy', () => connectToCommand(server, [], 'legacy')],
    ['a command', 'modern', () => connectToCommand(server, [], 'modern')],
    ['HTTP', 'modern', () => connectOverHttp(server)],
  ];
  it.each(ways)('tell a client over %s of the %s era of their changes', async (_, era, open) => {
    const [inbox, quiet] = [await server.inbox(), await server.inbox()];
    const { client, close } = await open();
    const uri = `postrider://inbox/${inbox.id}`;
    const told: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      told.push(params.uri);
    });
    if (era === 'legacy') await client.subscribeResource({ uri });
    else await client.listen({ resourceSubscriptions: [uri] });
    // The log is followed a moment after the client has asked for it.
    await expect
      .poll(
        async () => {
          await mail(quiet, 'Other');
          await mail(inbox, 'New');
          return told.length;
        },
        { interval: 300 },
      )
      .toBeGreaterThan(0);
    expect(new Set(told)).toEqual(new Set([uri]));
    await close();
  });
});

describe('those who wait over HTTP', () => {
  it('are 20 of a workspace at most, and another one can wait when one has left', async () => {
    const own = await server.workspace();
    const host = await connectOverHttp({ ...server, key: own.key });
    const filter = { resourceSubscriptions: ['postrider://inbox/inb_1'] };
    const open = [];
    for (let at = 0; at < 20; at += 1) open.push(await host.client.listen(filter));
    await expect(host.client.listen(filter)).rejects.toThrow();
    await open[0]!.close();
    await expect
      .poll(
        () =>
          host.client.listen(filter).then(
            () => true,
            () => false,
          ),
        {},
      )
      .toBe(true);
    await host.close();
  });

  it('hear nothing of other workspaces, and no more once their key is revoked', async () => {
    const own = await server.workspace();
    const inbox = await server.inbox();
    const host = await connectOverHttp({ ...server, key: own.key });
    const told: string[] = [];
    host.client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      told.push(params.uri);
    });
    const waiting = await host.client.listen({ resourceSubscriptions: [`postrider://inbox/${inbox.id}`] });
    await mail(inbox, 'Not yours');
    await server.rows('update api_keys set revoked_at = now() where id = $1', [own.keyId]);
    await expect.poll(async () => Promise.race([waiting.closed, 'open'])).not.toBe('open');
    expect(told).toEqual([]);
    await host.close();
  });
});

describe('prompts', () => {
  it('are those whose tools the settings allow', async () => {
    const { client, close } = await connectHere(server, { readOnly: true });
    expect((await client.listPrompts()).prompts.map(({ name }) => name).sort()).toEqual([
      'triage_inbox',
      'wait_for_code',
    ]);
    await close();
  });

  it('name tools that there are', async () => {
    const { client, close } = await connectHere(server);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name).sort()).toEqual(['draft_reply', 'triage_inbox', 'wait_for_code']);
    const args = { inbox: 'support@example.com', message: 'msg_1', sender: 'example.com', points: 'Yes' };
    for (const { name, arguments: wanted = [] } of prompts) {
      const given = Object.fromEntries(wanted.map((one) => [one.name, args[one.name as keyof typeof args]]));
      const { messages } = await client.getPrompt({ name, arguments: given });
      const named = JSON.stringify(messages).match(/\b(?:search|get|create|send)_[a-z]+\b/g) ?? [];
      expect(named.length, name).toBeGreaterThan(0);
      expect(toolNames).toEqual(expect.arrayContaining(named));
    }
    await close();
  });
});
