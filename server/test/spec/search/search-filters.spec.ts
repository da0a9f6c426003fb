import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox, ListMessages, Message } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
let inbox: Inbox;
let byName: Record<string, Message>;

beforeAll(async () => {
  server = await startTestServer({ clock: createMovingClock() });
  inbox = await server.inbox();
  byName = await receiveAll();
});
afterAll(() => server.stop());

const receiveAll = async () => {
  const file = [{ filename: 'a.pdf', content: Buffer.from('x') }];
  const mails = {
    first: { from: 'ada@example.com', subject: 'Order one', attachments: file },
    second: { from: 'bob@sub.example.com', subject: 'Order two' },
    third: { from: 'ada@example.com', subject: 'Other', cc: 'copy@example.org' },
  };
  const found: Record<string, Message> = {};
  for (const [name, mail] of Object.entries(mails)) {
    await sendMail(server.smtpPort, { to: inbox.address, text: 'A widget', ...mail });
    found[name] = (await server.client.messages.list({ limit: 1 })).messages[0] ?? expect.fail(name);
  }
  const sent = await server.client.messages.reply(found.first?.id ?? '', { text: 'The widget is yours.' });
  found.sent = await server.client.messages.get(sent.id);
  await server.client.messages.update(found.second?.id ?? '', { read: true, add_labels: ['big'] });
  await server.indexed();
  return found;
};

const nameOf = (id: string) => Object.keys(byName).find((name) => byName[name]?.id === id);

/** The names of the messages that a search with filters finds. */
const names = async (params: Omit<ListMessages, 'query'>, query = 'widget') => {
  const { messages, next_cursor } = await server.client.messages.search(query, params);
  expect(next_cursor).toBeNull();
  return messages.map(({ id }) => nameOf(id)).toSorted();
};

test('Interface 4 GET /messages: every filter of a list holds for a search', async () => {
  const labels = await server.client.labels.list();
  const label_id = labels.labels[0]?.id ?? '';
  const { first, second, third } = byName;
  expect(await names({})).toEqual(['first', 'second', 'sent', 'third']);
  expect(await names({ inbox_id: inbox.id })).toEqual(['first', 'second', 'sent', 'third']);
  expect(await names({ thread_id: first?.thread_id ?? '' })).toEqual(['first', 'sent']);
  expect(await names({ label_id })).toEqual(['second']);
  expect(await names({ label_id, inbox_id: inbox.id, read: true })).toEqual(['second']);
  expect(await names({ direction: 'outbound' })).toEqual(['sent']);
  expect(await names({ from: 'ada@example.com' })).toEqual(['first', 'third']);
  expect(await names({ from: 'example.com' })).toEqual(['first', 'third']);
  expect(await names({ to: 'copy@example.org' })).toEqual(['third']);
  expect(await names({ subject: 'order' })).toEqual(['first', 'second', 'sent']);
  expect(await names({ subject: '?' })).toEqual([]);
  expect(await names({ has_attachment: true })).toEqual(['first']);
  expect(await names({ has_attachment: false })).toEqual(['second', 'sent', 'third']);
  expect(await names({ read: true })).toEqual(['second', 'sent']);
  expect(await names({ read: false, from: 'example.com', has_attachment: true })).toEqual(['first']);
  expect(await names({ after: second?.created_at ?? '' })).toEqual(['second', 'sent', 'third']);
  expect(await names({ before: second?.created_at ?? '' })).toEqual(['first']);
  expect(await names({ after: second?.created_at ?? '', before: third?.created_at ?? '' })).toEqual([
    'second',
  ]);
  expect(await names({ before: third?.created_at ?? '' }, `widget after:${second?.created_at}`)).toEqual([
    'second',
  ]);
});

test('Interface 4 GET /messages: a filter that names nothing of the caller is a 404 in a search, too', async () => {
  const theirs = await server.workspace();
  const foreign = await server.inbox(theirs);
  const label = await theirs.client.labels.create({ name: 'big' });
  const status = async (query: string) => (await server.request(`/v1/messages?query=widget&${query}`)).status;
  expect(await status(`inbox_id=${foreign.id}`)).toBe(404);
  expect(await status(`label_id=${label.id}`)).toBe(404);
  expect(await status('thread_id=thr_01m7yyvjvwe8jaq5st2hkw14nx')).toBe(404);
});

test("Conventions 5: operators that name another workspace's inbox or label find nothing", async () => {
  const theirs = await server.workspace();
  const foreign = await server.inbox(theirs);
  await sendMail(server.smtpPort, {
    from: 'ada@example.com',
    to: foreign.address,
    subject: 'Theirs',
    text: 'A widget',
  });
  const label = await theirs.client.labels.create({ name: 'theirs' });
  await server.indexed();
  for (const query of [
    `in:${foreign.id}`,
    `in:${foreign.address}`,
    `label:${label.id}`,
    'label:theirs',
    foreign.id,
    'theirs',
  ])
    expect(await names({}, query), query).toEqual([]);
  expect(await names({}, `widget -in:${foreign.id} -label:theirs`)).toHaveLength(4);
  expect(await theirs.client.messages.search('widget').toArray({ limit: 10 })).toHaveLength(1);
});

test('Interface 4: wait_seconds holds a search until its first hit', async () => {
  const waiting = server.client.messages.search('gadget', { wait_seconds: 60 });
  await sendMail(server.smtpPort, {
    from: 'ada@example.com',
    to: inbox.address,
    subject: 'Gadgets',
    text: 'Here.',
  });
  expect((await waiting).messages.map(({ subject }) => subject)).toEqual(['Gadgets']);
  expect((await server.client.messages.search('nowhere', { wait_seconds: 1 })).messages).toEqual([]);
});
