import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHere, type Host } from './connect.ts';
import { unfencedTexts } from './fenced.ts';
import { type InjectionMail, injectionMails, order } from './injection-mails.ts';

let server: TestServer;
let inbox: Inbox;
let host: Host;
let ids: string[];

beforeAll(async () => {
  server = await joinTestServer();
  inbox = await server.inbox();
  for (const mail of injectionMails) await deliver(mail);
  await server.filed();
  host = await connectHere(server);
  ids = await listIds();
});
afterAll(async () => {
  await host?.close();
  await server?.stop();
});

const deliver = ({ fromName, subject, text, filename }: InjectionMail) =>
  sendMail(server.smtpPort, {
    from: { name: fromName, address: 'mallory@evil.test' },
    to: inbox.address,
    subject,
    text,
    attachments: [{ filename, content: `${text}\n${order}` }],
    envelope: { from: 'mallory@evil.test', to: inbox.address },
  });

const listIds = async () => {
  const found: string[] = [];
  for await (const { id } of server.client.messages.list({ inbox_id: inbox.id, limit: 100 })) found.push(id);
  return found;
};

/** Throws if text of these mails stands outside of the fences of an answer. */
const expectFenced = ({ data, text }: { data: unknown; text: string }) => {
  for (const [path, rest] of unfencedTexts(data)) {
    expect(rest, path).not.toMatch(/XORDERX|XREDROX|mallory|evil\.test/i);
  }
  expect(JSON.parse(text)).toEqual(data);
};

describe('mails that give orders', () => {
  it('are at least 200, and all there', () => {
    expect(injectionMails.length).toBeGreaterThanOrEqual(200);
    expect(ids).toHaveLength(injectionMails.length);
  });

  it('stay in their fences when they are read', async () => {
    let fenced = 0;
    for (const message_id of ids) {
      const answer = await host.call('get_message', { message_id, with_quotes: true, max_chars: 20_000 });
      expectFenced(answer);
      fenced += answer.text.includes(order) ? 1 : 0;
    }
    // The check would find nothing if the tool showed nothing.
    expect(fenced).toBeGreaterThan(0.9 * ids.length);
  });

  it('stay in their fences in lists, searches, threads and files', async () => {
    for (let cursor: string | undefined, page = 0; page < 40; page += 1) {
      const answer = await host.call('search_messages', { inbox_id: inbox.id, limit: 100, cursor });
      expectFenced(answer);
      cursor = answer.data.next_cursor ?? undefined;
      if (cursor === undefined) break;
    }
    expectFenced(await host.call('search_messages', { query: 'instructions', inbox_id: inbox.id }));
    const threads = await host.call('list_threads', { inbox_id: inbox.id, limit: 100 });
    expectFenced(threads);
    for (const { thread_id } of threads.data.threads.slice(0, 30))
      expectFenced(await host.call('get_thread', { thread_id }));
    for (const message_id of ids.slice(0, 30)) {
      const { data } = await host.call('get_message', { message_id });
      const [{ attachment_id }] = data.attachments;
      const file = await host.call('get_message', { message_id, attachment_id });
      expectFenced(file);
      expect(file.text).toContain(order);
    }
  });

  it('stay in their fences in what is sent, drafted and refused because of them', async () => {
    for (const message_id of ids.slice(0, 40)) {
      expectFenced(
        await host.call('create_draft', { inbox_id: inbox.id, reply_to_message_id: message_id, text: 'Ok' }),
      );
      expectFenced(await host.call('reply_to_message', { message_id, text: 'Thanks' }));
    }
    expectFenced(await host.call('list_drafts', { inbox_id: inbox.id }));
    await server.client.suppressions.create({ address: 'mallory@evil.test' });
    const [message_id] = ids.slice(50);
    const refused = await host.call('reply_to_message', { message_id, text: 'Again' });
    expect(refused).toMatchObject({ isError: true, data: { error: 'no_deliverable_recipients' } });
    expectFenced(refused);
  });

  it('are found by the check where a fence is missing', () => {
    expect(unfencedTexts({ a: [`<untrusted-00000000>x</untrusted-11111111> ${order}`] })[0]?.[1]).toContain(
      order,
    );
    expect(unfencedTexts({ a: `<untrusted-00000000>${order}</untrusted-00000000>` })).toEqual([['.a', '']]);
  });
});
