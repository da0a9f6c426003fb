import type { InboxSummary, ThreadSummary } from '@postrider/contract/console';
import { type ConsoleBrowser, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let server: TestServer;
let person: ConsoleBrowser;
let inbox: Inbox;

beforeAll(async () => {
  server = await joinTestServer();
  person = await signedIn(server, 'member');
});
beforeEach(async () => {
  inbox = await server.inbox();
});
afterAll(() => server.stop());

const receive = (mail: Partial<Parameters<typeof sendMail>[1]> = {}) =>
  sendMail(server.smtpPort, { from: 'Ada <ada@remote.example>', to: inbox.address, text: 'Hello.', ...mail });

async function threads(query = ''): Promise<{ threads: ThreadSummary[]; next_cursor: string | null }> {
  const { status, body } = await person.request(`/threads?inbox_id=${inbox.id}${query}`);
  expect(status).toBe(200);
  return body as never;
}

async function inboxes(
  query = 'limit=100',
): Promise<{ inboxes: InboxSummary[]; next_cursor: string | null }> {
  const { status, body } = await person.request(`/inboxes?${query}`);
  expect(status).toBe(200);
  return body as never;
}

describe('the rows of threads', () => {
  test('are those of the API, with their newest message, files and unread mail', async () => {
    await receive({ subject: 'First' });
    await receive({ subject: 'Second', attachments: [{ filename: 'plan.txt', content: 'A plan.' }] });
    const listed = (await server.client.threads.list({ inbox_id: inbox.id })).threads;
    const rows = (await threads()).threads;
    expect(rows.map(({ subject }) => subject)).toEqual(['Second', 'First']);
    for (const [index, thread] of listed.entries()) expect(rows[index]).toMatchObject(thread);
    expect(rows[0]).toMatchObject({
      unread_count: 1,
      has_attachments: true,
      sent_status: null,
      last_message: {
        direction: 'inbound',
        from_addr: 'ada@remote.example',
        from_name: 'Ada',
        snippet: 'Hello.',
      },
    });
    expect(rows[1]?.has_attachments).toBe(false);
  });

  test('name the person who wrote last, also after a reply, and nobody in a thread that was only sent', async () => {
    await receive({ subject: 'Question' });
    const [asked] = (await server.client.messages.list({ inbox_id: inbox.id })).messages;
    await server.client.messages.reply(asked?.id ?? '', { text: 'An answer.' });
    await server.client.messages.send({
      inbox_id: inbox.id,
      to: 'success@simulator.postrider.test',
      subject: 'Offer',
      text: 'x',
    });
    const rows = (await threads()).threads;
    const writerOf = (name: string) => rows.find(({ subject }) => subject === name)?.last_writer;
    expect(rows.find(({ subject }) => subject === 'Question')?.last_message.direction).toBe('outbound');
    expect(writerOf('Question')).toEqual({ address: 'ada@remote.example', name: 'Ada' });
    expect(writerOf('Offer')).toBeNull();
  });

  test('show the reply as the newest message, and the files of the one before it', async () => {
    await receive({ attachments: [{ filename: 'plan.txt', content: 'A plan.' }] });
    const [first] = (await threads()).threads;
    const sent = await server.client.messages.reply(first?.last_message.id ?? '', { text: 'Thank you.' });
    expect((await threads()).threads).toMatchObject([
      {
        message_count: 2,
        has_attachments: true,
        last_message: { id: sent.id, direction: 'outbound', snippet: 'Thank you.' },
      },
    ]);
  });

  test('tell the worst state of the last sent message', async () => {
    const at = (name: string) => `${name}@simulator.postrider.test`;
    const sent = { inbox_id: inbox.id, subject: 'Offer', text: 'An offer.' };
    await server.client.messages.send({ ...sent, to: [at('success')] });
    await server.client.messages.send({ ...sent, to: [at('success'), at('bounce+row')] });
    await eventually('the outcomes', async () => {
      const states = (await threads()).threads.map(({ sent_status }) => sent_status);
      return states[0] === 'bounced' && states[1] === 'delivered';
    });
  });

  test('come page by page, unread ones alone, and by label', async () => {
    for (const subject of ['a', 'b', 'c']) await receive({ subject });
    const first = await threads('&limit=2');
    const second = await threads(`&limit=2&cursor=${first.next_cursor}`);
    expect([...first.threads, ...second.threads].map(({ subject }) => subject)).toEqual(['c', 'b', 'a']);
    expect(second.next_cursor).toBeNull();
    const { last_message } = first.threads[0] as ThreadSummary;
    const { labels } = await server.client.messages.update(last_message.id, {
      read: true,
      add_labels: [server.freshName('label')],
    });
    expect((await threads('&read=false')).threads.map(({ subject }) => subject)).toEqual(['b', 'a']);
    expect((await threads(`&label_id=${labels[0]?.id}`)).threads).toMatchObject([{ subject: 'c', labels }]);
  });

  test('are refused for an inbox of nobody, and for a bad cursor', async () => {
    const unknown = `/threads?inbox_id=${inbox.id.slice(0, -4)}0000`;
    expect((await person.request(unknown)).status).toBe(404);
    expect((await person.request('/threads?cursor=x')).status).toBe(400);
    expect((await person.request('/threads?unknown=1')).status).toBe(400);
  });
});

describe('the rows of inboxes', () => {
  test('count the unread threads, and have the time of the newest message', async () => {
    const row = async () => (await inboxes()).inboxes.find(({ id }) => id === inbox.id);
    expect(await row()).toEqual({ ...inbox, unread_threads: 0, last_message_at: null });
    await receive({ subject: 'a' });
    await receive({ subject: 'b' });
    const [newest, oldest] = (await threads()).threads as [ThreadSummary, ThreadSummary];
    expect(await row()).toEqual({ ...inbox, unread_threads: 2, last_message_at: newest.last_message_at });
    await server.client.messages.update(oldest.last_message.id, { read: true });
    expect((await row())?.unread_threads).toBe(1);
  });

  test('come page by page, and without deleted ones', async () => {
    const next = await server.inbox();
    const first = await inboxes('limit=1');
    const second = await inboxes(`limit=1&cursor=${first.next_cursor}`);
    expect([...first.inboxes, ...second.inboxes].map(({ id }) => id)).toEqual([next.id, inbox.id]);
    await server.client.inboxes.delete(inbox.id);
    expect((await inboxes()).inboxes.some(({ id }) => id === inbox.id)).toBe(false);
  });
});
