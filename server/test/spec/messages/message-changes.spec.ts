import { limits } from '@postrider/contract';
import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { readMailId, receiveMessage } from '@postrider/testkit/mail/received-message.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { Message } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const namesOf = ({ labels }: Pick<Message, 'labels'>) => labels.map(({ name }) => name);
const update = (id: string, params: Parameters<typeof server.client.messages.update>[1]) =>
  server.client.messages.update(id, params);

test('Interface 4 PATCH /messages/{id}: labels by id or by name, a name that is not there is made, in any spelling of it', async () => {
  const message = await receiveMessage(server);
  const known = await server.client.labels.create({ name: server.freshName('Known') });
  const name = server.freshName('Made');
  const changed = await update(message.id, { add_labels: [known.id, name, name.toUpperCase()] });
  expect(namesOf(changed).sort()).toEqual([known.name, name].sort());
  expect(await server.client.messages.get(message.id)).toEqual(changed);
  expect(namesOf(await server.client.threads.get(message.thread_id)).sort()).toEqual(
    [known.name, name].sort(),
  );
  const removed = await update(message.id, { remove_labels: [name.toUpperCase(), 'never made'] });
  expect(namesOf(removed)).toEqual([known.name]);
  expect(namesOf(await update(message.id, { remove_labels: [known.id], add_labels: [known.id] }))).toEqual([
    known.name,
  ]);
  expect(namesOf(await update(message.id, {}))).toEqual([known.name]);
  expect((await server.client.labels.list({ name: 'never made' })).labels).toEqual([]);
});

test('Interface 4 PATCH /messages/{id}: everything changes or nothing does', async () => {
  const message = await receiveMessage(server);
  const names = Array.from({ length: limits.labelsPerMessageMax }, (_, i) => server.freshName(`label-${i}`));
  await update(message.id, { add_labels: names.slice(0, 49) });
  const before = await server.client.messages.get(message.id);
  const more = { read: true, metadata: { a: 'b' } };
  const error = await catchApiError(
    update(message.id, { ...more, add_labels: [names[49] ?? '', server.freshName('fifty-first')] }),
    'limit_reached',
  );
  expect(error).toMatchObject({ limit: limits.labelsPerMessageMax });
  const unknown = await catchApiError(
    update(message.id, { ...more, add_labels: [newId('lbl')] }),
    'not_found',
  );
  expect(unknown).toMatchObject({ param: 'add_labels' });
  expect(
    await catchApiError(update(message.id, { ...more, remove_labels: [newId('lbl')] }), 'not_found'),
  ).toMatchObject({
    param: 'remove_labels',
  });
  expect(await server.client.messages.get(message.id)).toEqual(before);
  expect(await catchApiError(update(newId('msg'), more), 'not_found')).toMatchObject({ param: 'id' });
  expect(await invalidFields(update(message.id, { add_labels: [''] }))).toEqual(['add_labels.0']);
  expect(await invalidFields(update(message.id, { stars: 5 } as never))).toEqual(['stars']);
});

test('Interface 3 Message read: inbound false until set, outbound true; lists and threads are filtered by it', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const own = { ...server, client: owner.client };
  const [first, second] = [await receiveMessage(own, { inbox }), await receiveMessage(own, { inbox })];
  const sent = await owner.client.messages.send({
    inbox_id: inbox.id,
    to: 'ada@remote.example',
    subject: 'Sent',
    text: 'x',
  });
  const { messages, threads } = owner.client;
  const listed = async (query: object) => (await messages.list(query)).messages.map(({ id }) => id);
  const threadsOf = async (query: object) => (await threads.list(query)).threads.map(({ id }) => id);
  expect([first.read, second.read, (await messages.get(sent.id)).read]).toEqual([false, false, true]);
  for (const where of [{}, { inbox_id: inbox.id }]) {
    expect(await listed({ read: false, ...where })).toEqual([second.id, first.id]);
    expect(await listed({ read: true, ...where })).toEqual([sent.id]);
    expect(await threadsOf({ read: false, ...where })).toEqual([second.thread_id, first.thread_id]);
    expect(await threadsOf({ read: true, ...where })).toEqual([sent.thread_id]);
  }
  expect((await messages.update(first.id, { read: true })).read).toBe(true);
  await messages.update(first.id, { read: true });
  await messages.update(sent.id, { read: false });
  for (const where of [{}, { inbox_id: inbox.id }]) {
    expect(await listed({ read: false, ...where })).toEqual([sent.id, second.id]);
    expect(await listed({ read: true, direction: 'inbound', ...where })).toEqual([first.id]);
    expect(await threadsOf({ read: true, ...where })).toEqual([first.thread_id]);
    expect(await threadsOf({ read: false, ...where })).toEqual([sent.thread_id, second.thread_id]);
  }
  await messages.update(second.id, { add_labels: ['mine'] });
  const { labels } = await owner.client.labels.list({ name: 'MINE' });
  const label_id = labels[0]?.id ?? '';
  expect(await listed({ read: false, label_id })).toEqual([second.id]);
  expect(await threadsOf({ read: false, label_id })).toEqual([second.thread_id]);
  expect(await threadsOf({ read: true, label_id, inbox_id: inbox.id })).toEqual([]);
});

test('Interface 4 GET /threads: a page of unread threads with a label ends early, with a cursor, behind 5,000 others', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const message = await receiveMessage({ ...server, client: owner.client }, { inbox });
  await owner.client.messages.update(message.id, { add_labels: ['deep'] });
  await server.rows(
    `insert into threads select made.* from threads t, generate_series(1, $2::int) n,
       lateral jsonb_populate_record(t, jsonb_build_object('id', 'thr_' || n, 'last_message_at', now() + interval '1 hour')) made
     where t.id = $1`,
    [message.thread_id, limits.listCandidatesMax],
  );
  const [label] = (await owner.client.labels.list()).labels;
  const query = { label_id: label?.id ?? '', read: false };
  const first = await owner.client.threads.list(query);
  expect([first.threads, first.next_cursor]).toEqual([[], expect.any(String)]);
  const second = await owner.client.threads.list({ ...query, cursor: first.next_cursor ?? '' });
  expect(second.threads.map(({ id }) => id)).toEqual([message.thread_id]);
  expect(second.next_cursor).toBeNull();
});

test('Interface 3 Message read: a thread is read once all its messages are, however many change at once', async () => {
  const inbox = await server.inbox();
  const root = await receiveMessage(server, { inbox });
  const answers = [];
  for (let i = 0; i < 5; i++)
    answers.push(await receiveMessage(server, { inbox, inReplyTo: readMailId(root) }));
  const ids = [root, ...answers].map(({ id }) => id);
  const { threads, messages } = server.client;
  const isRead = async () =>
    (await threads.list({ inbox_id: inbox.id, read: true })).threads.map(({ id }) => id);
  await Promise.all(ids.slice(1).flatMap((id) => [1, 2, 3].map(() => messages.update(id, { read: true }))));
  expect(await isRead()).toEqual([]);
  await messages.update(root.id, { read: true });
  expect(await isRead()).toEqual([root.thread_id]);
  await messages.update(answers[2]?.id ?? '', { read: false });
  expect(await isRead()).toEqual([]);
});

test('Interface 3 Message read: threads that become one are read once all messages of both are', async () => {
  const inbox = await server.inbox();
  const [late, root] = [server.freshName('late'), await receiveMessage(server, { inbox })];
  const early = await receiveMessage(server, { inbox, inReplyTo: late });
  expect(early.thread_id).not.toBe(root.thread_id);
  const { messages, threads } = server.client;
  await messages.update(root.id, { read: true });
  const joining = await receiveMessage(server, { inbox, id: late, inReplyTo: readMailId(root) });
  expect((await threads.get(root.thread_id)).message_count).toBe(3);
  const read = async () => (await threads.list({ inbox_id: inbox.id, read: true })).threads.length;
  await messages.update(joining.id, { read: true });
  expect(await read()).toBe(0);
  await messages.update(early.id, { read: true });
  expect(await read()).toBe(1);
});

test('Interface 4 PATCH /messages/{id}: who waits for a label or for a message that is read is woken', async () => {
  const message = await receiveMessage(server);
  const inbox_id = message.inbox_id;
  const waiting = server.client.messages.list({ inbox_id, read: true, wait_seconds: 60 });
  await update(message.id, { read: true });
  expect((await waiting).messages.map(({ id }) => id)).toEqual([message.id]);
});

test('Interface 4 PATCH /messages/{id}: labels, reads and answers that come at once do not stop each other', async () => {
  const inbox = await server.inbox();
  const root = await receiveMessage(server, { inbox });
  const label = await server.client.labels.create({ name: server.freshName('label') });
  const { labels, messages } = server.client;
  await Promise.all([
    ...Array.from({ length: 8 }, (_, i) =>
      messages.update(root.id, {
        read: i % 2 === 0,
        add_labels: [`at-once-${i % 3}`],
        metadata: { i: `${i}` },
      }),
    ),
    ...Array.from({ length: 4 }, () => labels.assign(label.id, { message_id: root.id })),
    ...Array.from({ length: 4 }, () => labels.unassign(label.id, { message_id: root.id })),
    ...Array.from({ length: 4 }, () => messages.reply(root.id, { text: 'Yes.' })),
  ]);
  const thread = await server.client.threads.get(root.thread_id);
  expect(thread.message_count).toBe(5);
  expect(namesOf(await messages.get(root.id))).toEqual(expect.arrayContaining(['at-once-0', 'at-once-1']));
});
