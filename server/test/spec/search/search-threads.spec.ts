import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
let inbox: Inbox;

beforeAll(async () => {
  server = await joinTestServer();
  inbox = await server.inbox();
  for (const [subject, text] of [
    ['Delivery of the lathe', 'When will the lathe come?'],
    ['Spare parts', 'We need a chuck.'],
    ['Lunch', 'On Friday?'],
  ] as const)
    await receive(subject, text);
  const [lathe] = (await server.client.messages.list({ inbox_id: inbox.id, subject: 'lathe' })).messages;
  for (const text of ['The lathe comes on Monday, with a chuck for the lathe.', 'Thank you.'])
    await receive('Re: Delivery of the lathe', text, lathe?.message_id);
  await server.indexed();
});
afterAll(() => server.stop());

const receive = (subject: string, text: string, inReplyTo?: string) =>
  sendMail(server.smtpPort, {
    from: 'ada@example.com',
    to: inbox.address,
    subject,
    text,
    ...(inReplyTo && { inReplyTo }),
  });

test('Interface 4 GET /threads: a search returns each thread once, with the message that matches best', async () => {
  const { threads, mode_used, next_cursor } = await server.client.threads.search('lathe', {
    inbox_id: inbox.id,
  });
  expect([mode_used, next_cursor, threads.length]).toEqual(['keyword', null, 1]);
  const [thread] = threads;
  expect([thread?.message_count, thread?.messages?.length]).toEqual([3, 1]);
  expect(thread?.messages?.[0]).toMatchObject({
    subject: 'Re: Delivery of the lathe',
    thread_id: thread?.id,
  });
  expect(thread?.messages?.[0]?.snippet).toBe(
    'The **lathe** comes on Monday, with a chuck for the **lathe**.',
  );
});

test('Interface 4 GET /threads: pages of a search name no thread twice', async () => {
  const query = { inbox_id: inbox.id, limit: 1 };
  const found = await server.client.threads.search('chuck', query).toArray({ limit: 10 });
  expect(found.map(({ subject }) => subject).toSorted()).toEqual(['Delivery of the lathe', 'Spare parts']);
  const most = await server.client.threads
    .search('lathe chuck', { ...query, limit: 2 })
    .toArray({ limit: 10 });
  expect(most.map(({ subject }) => subject)).toEqual(['Delivery of the lathe', 'Spare parts']);
});

test('Interface 4 GET /threads: a list has no messages, and the filters hold for a search', async () => {
  const { threads } = await server.client.threads.list({ inbox_id: inbox.id });
  expect(threads.map(({ messages }) => messages)).toEqual([undefined, undefined, undefined]);
  const [first] = (await server.client.threads.search('friday', { inbox_id: inbox.id })).threads;
  const [message] = first?.messages ?? [];
  await server.client.messages.update(message?.id ?? '', { read: true, add_labels: ['social'] });
  const [label] = (await server.client.labels.list({ name: 'social' })).labels;
  const subjects = async (params: object) =>
    (await server.client.threads.search('is:inbound', { inbox_id: inbox.id, ...params })).threads.map(
      ({ subject }) => subject,
    );
  expect(await subjects({ label_id: label?.id })).toEqual(['Lunch']);
  expect(await subjects({ read: true })).toEqual(['Lunch']);
  expect(await subjects({ read: false })).toEqual(['Delivery of the lathe', 'Spare parts']);
});

test("Conventions 5: another workspace's inbox or label in a search of threads is a 404", async () => {
  const theirs = await server.workspace();
  const foreign = await server.inbox(theirs);
  const status = async (query: string) => (await server.request(`/v1/threads?query=lathe&${query}`)).status;
  expect(await status(`inbox_id=${foreign.id}`)).toBe(404);
  expect(await status(`label_id=${(await theirs.client.labels.create({ name: 'Theirs' })).id}`)).toBe(404);
  expect((await theirs.client.threads.search('lathe')).threads).toEqual([]);
});
