import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { readMailId, receiveMessage } from '@postrider/testkit/mail/received-message.ts';
import { deliverMail } from '@postrider/testkit/mail/thread-mail.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Message } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const notFound = (call: PromiseLike<unknown>, param: string | null = 'id') =>
  catchApiError(Promise.resolve(call), 'not_found').then((error) => expect(error).toMatchObject({ param }));

/** A received message with a file, in an inbox of its own. */
const withFile = async (): Promise<Message> => {
  const inbox = await server.inbox();
  const attachments = [{ filename: 'plan.txt', content: 'The secret plan.' }];
  await sendMail(server.smtpPort, {
    from: 'ada@remote.example',
    to: inbox.address,
    subject: 'Plan',
    text: 'See.',
    attachments,
  });
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id, wait_seconds: 60 });
  if (!messages[0]) throw new Error('The mail did not arrive.');
  return messages[0];
};

const rowsOf = async (id: string): Promise<Record<string, number>> => {
  const tables = [
    'messages',
    'message_terms',
    'message_labels',
    'attachments',
    'originals',
    'message_recipients',
    'message_ids',
  ];
  const counts = tables.map(
    (table) =>
      `(select count(*)::int from ${table} where ${table === 'messages' ? 'id' : 'message_id'} = $1) as ${table}`,
  );
  const [row] = await server.rows<Record<string, number>>(`select ${counts.join(', ')}`, [id]);
  return row ?? {};
};

test('Interface 4 DELETE /messages/{id}: gone at once from every read, list and link, with its thread when it was the last', async () => {
  const message = await withFile();
  const { messages, threads, attachments, labels } = server.client;
  await messages.update(message.id, { add_labels: ['gone'] });
  const [label] = (await labels.list({ name: 'gone' })).labels;
  const file = message.attachments[0];
  const links = [(await messages.raw(message.id)).url, file?.url ?? ''];
  for (const link of links) expect((await fetch(link)).status).toBe(200);
  expect(await messages.delete(message.id)).toBeUndefined();
  await notFound(messages.get(message.id));
  await notFound(messages.raw(message.id));
  await notFound(messages.update(message.id, { read: true }));
  await notFound(messages.reply(message.id, { text: 'x' }));
  await notFound(messages.delete(message.id));
  await notFound(threads.get(message.thread_id));
  await notFound(attachments.get(file?.id ?? ''));
  for (const link of links) expect((await fetch(link)).status).toBe(404);
  const { inbox_id } = message;
  for (const query of [
    { inbox_id },
    { inbox_id, from: 'ada@remote.example' },
    { label_id: label?.id ?? '' },
    { inbox_id, read: false },
  ])
    expect((await messages.list(query)).messages).toEqual([]);
  expect((await threads.list({ inbox_id })).threads).toEqual([]);
  expect((await threads.list({ label_id: label?.id ?? '' })).threads).toEqual([]);
  expect(new Set(Object.values(await rowsOf(message.id)))).toEqual(new Set([0]));
});

test('Interface 4 DELETE /messages/{id}: its files are removed and what it took of the plan is given back; usage of the month stays', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const large = { filename: 'large.bin', content: Buffer.alloc(100_000, 'x') };
  await sendMail(server.smtpPort, {
    from: 'ada@remote.example',
    to: inbox.address,
    text: 'See.',
    attachments: [large],
  });
  const sent = await owner.client.messages.send({
    inbox_id: inbox.id,
    to: 'ada@remote.example',
    subject: 'x',
    text: 'x',
  });
  const { messages } = await owner.client.messages.list({
    inbox_id: inbox.id,
    direction: 'inbound',
    wait_seconds: 60,
  });
  const message = messages[0] as Message;
  await fetch(message.attachments[0]?.url ?? '');
  const { deps } = server.server;
  const key = `${owner.id}/${inbox.id}/raw/${message.id}`;
  expect(await deps.files.read(key)).not.toBeNull();
  expect((await owner.client.account.get()).usage.storage_bytes).toBeGreaterThan(0);
  await owner.client.messages.delete(message.id);
  await owner.client.messages.delete(sent.id);
  const { usage } = await owner.client.account.get();
  expect(usage).toMatchObject({ storage_bytes: 0, mail_bytes: 0, emails_this_month: 1 });
  await eventually('the file to be removed', async () => (await deps.files.read(key)) === null);
});

test('Interface 4 DELETE /messages/{id}: the thread stays with the others, and mail that names only the deleted one begins a thread', async () => {
  const inbox = await server.inbox();
  const root = await receiveMessage(server, { inbox });
  const answer = await receiveMessage(server, { inbox, inReplyTo: readMailId(root) });
  const { messages, threads } = server.client;
  await messages.update(root.id, { read: true });
  await messages.delete(answer.id);
  const thread = await threads.get(root.thread_id);
  expect(thread).toMatchObject({ message_count: 1, last_message_at: root.created_at });
  expect(thread.messages.map(({ id }) => id)).toEqual([root.id]);
  expect((await threads.list({ inbox_id: inbox.id, read: true })).threads).toHaveLength(1);
  const late = await receiveMessage(server, { inbox, inReplyTo: readMailId(answer) });
  expect(late.thread_id).not.toBe(root.thread_id);
  const known = await receiveMessage(server, {
    inbox,
    inReplyTo: readMailId(answer),
    references: [readMailId(root), readMailId(answer)],
  });
  expect(known.thread_id).toBe(root.thread_id);
});

test('Interface 4 DELETE /messages/{id}: its events stay in the log with message null', async () => {
  const message = await receiveMessage(server);
  const events = async () => {
    const page = await server.client.events.list({ inbox_id: message.inbox_id, limit: 100 });
    return page.events.filter(({ thread_id }) => thread_id === message.thread_id);
  };
  await eventually('its event', async () => (await events()).length > 0);
  await server.client.messages.delete(message.id);
  await eventually('the event of its end', async () => (await events()).length > 1);
  expect(await events()).toMatchObject([
    { event: 'message.received', message: null, message_ref: message.id },
    { event: 'message.deleted', message: null, message_ref: message.id },
  ]);
});

test('Interface 4 DELETE /messages/{id}: its client_id stays taken, and a repeat is a 404 that names it', async () => {
  const inbox = await server.inbox();
  const client_id = server.freshName('send');
  const send = () =>
    server.client.messages.send({
      inbox_id: inbox.id,
      to: 'ada@remote.example',
      subject: 'x',
      text: 'x',
      client_id,
    });
  const { id } = await send();
  await server.client.messages.delete(id);
  await notFound(send(), 'client_id');
});

test('Interface 4 DELETE /messages/{id}: a draft that replies to it stays and fails when it is sent', async () => {
  const message = await receiveMessage(server);
  const { drafts, messages } = server.client;
  const draft = await drafts.create({
    inbox_id: message.inbox_id,
    reply_to_message_id: message.id,
    text: 'Yes.',
  });
  await messages.delete(message.id);
  expect(await drafts.get(draft.id)).toEqual(draft);
  await notFound(drafts.send(draft.id), 'reply_to_message_id');
  const scheduled = await drafts.update(draft.id, { scheduled_at: new Date().toISOString() });
  expect(['scheduled', 'failed']).toContain(scheduled.status);
  await eventually('the draft to fail', async () => (await drafts.get(draft.id)).failure === 'not_found');
});

test('Interface 4 DELETE /messages/{id}: a sent draft stays sent', async () => {
  const inbox = await server.inbox();
  const { drafts, messages } = server.client;
  const draft = await drafts.create({
    inbox_id: inbox.id,
    to: 'ada@remote.example',
    subject: 'x',
    text: 'x',
  });
  const { id } = await drafts.send(draft.id);
  await messages.delete(id);
  expect((await drafts.get(draft.id)).status).toBe('sent');
  await catchApiError(drafts.send(draft.id), 'draft_already_sent');
});

test('Interface 4 DELETE /threads/{id}: all its messages are gone at once with their rows, and answers begin a new thread', async () => {
  const inbox = await server.inbox();
  const root = await receiveMessage(server, { inbox });
  const answers = [];
  for (let i = 0; i < 3; i++)
    answers.push(await receiveMessage(server, { inbox, inReplyTo: readMailId(root) }));
  const other = await receiveMessage(server, { inbox });
  const { messages, threads } = server.client;
  await messages.update(root.id, { add_labels: ['whole'] });
  expect(await threads.delete(root.thread_id)).toBeUndefined();
  for (const { id } of [root, ...answers]) await notFound(messages.get(id));
  await notFound(threads.get(root.thread_id));
  await notFound(threads.delete(root.thread_id));
  expect((await messages.list({ inbox_id: inbox.id })).messages.map(({ id }) => id)).toEqual([other.id]);
  expect((await threads.list({ inbox_id: inbox.id })).threads.map(({ id }) => id)).toEqual([other.thread_id]);
  const late = await receiveMessage(server, { inbox, inReplyTo: readMailId(root) });
  expect((await threads.get(late.thread_id)).message_count).toBe(1);
  for (const { id } of [root, ...answers])
    expect(new Set(Object.values(await rowsOf(id)))).toEqual(new Set([0]));
});

test('Interface 4 DELETE /threads/{id}: a long thread is hidden at once, also what waits to go out, and removed in the background', async () => {
  const inbox = await server.inbox();
  const { messages, threads, labels } = server.client;
  const sent = await messages.send({
    inbox_id: inbox.id,
    to: 'defer@simulator.postrider.test',
    subject: 'x',
    text: 'x',
  });
  await messages.update(sent.id, { add_labels: ['long'] });
  const copies = 500;
  const copy = `select made.* from messages m, generate_series(1, $2::int) n, lateral jsonb_populate_record(m,
    jsonb_build_object('id', 'msg_7' || lpad(n::text, 25, '0'))) made where m.id = $1`;
  await server.rows(`insert into messages ${copy}`, [sent.id, copies]);
  await server.rows(`update threads set message_count = $2 where id = $1`, [sent.thread_id, copies + 1]);
  await threads.delete(sent.thread_id);
  await notFound(threads.get(sent.thread_id));
  const label_id = (await labels.list({ name: 'long' })).labels[0]?.id ?? '';
  for (const query of [
    { inbox_id: inbox.id },
    { label_id },
    { inbox_id: inbox.id, direction: 'outbound' as const },
  ])
    expect((await messages.list(query)).messages).toEqual([]);
  expect((await threads.list({ label_id })).threads).toEqual([]);
  await notFound(messages.get('msg_70000000000000000000000500'));
  expect(
    await server.rows('select from message_recipients where inbox_id = $1 and due_at is not null', [
      inbox.id,
    ]),
  ).toEqual([]);
  await eventually(
    'the messages to be removed',
    async () =>
      (await server.rows('select from messages where thread_id = $1', [sent.thread_id])).length === 0,
  );
  await eventually(
    'the thread to be forgotten',
    async () =>
      (await server.rows('select from deleted_threads where thread_id = $1', [sent.thread_id])).length === 0,
  );
});

test('Interface 4 DELETE /threads/{id}: an answer that comes at the same moment is in the thread or begins one, and is never lost', async () => {
  const inbox = await server.inbox();
  for (let round = 0; round < 5; round++) {
    const root = await receiveMessage(server, { inbox });
    const answering = receiveMessage(server, { inbox, inReplyTo: readMailId(root) }).catch(() => null);
    await server.client.threads.delete(root.thread_id);
    await answering;
    await server.filed();
    for (const { thread_id } of (await server.client.messages.list({ inbox_id: inbox.id })).messages)
      expect((await server.client.threads.get(thread_id)).message_count).toBeGreaterThan(0);
  }
});

test('Interface 3: a deleted mail that is delivered again is still known, and stores nothing', async () => {
  const inbox = await server.inbox();
  const mail = { id: server.freshName('mail'), inbox };
  const message = await receiveMessage(server, mail);
  await server.client.messages.delete(message.id);
  await deliverMail(server, inbox.address, mail);
  expect((await server.client.messages.list({ inbox_id: inbox.id })).messages).toEqual([]);
});

test('Interface 4 DELETE: of ten requests at once one deletes', async () => {
  const message = await receiveMessage(server);
  const deletions = await Promise.allSettled(
    Array.from({ length: 10 }, () => server.client.messages.delete(message.id)),
  );
  expect(deletions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const other = await receiveMessage(server);
  const threads = await Promise.allSettled(
    Array.from({ length: 10 }, () => server.client.threads.delete(other.thread_id)),
  );
  expect(threads.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await notFound(server.client.threads.delete(newId('thr')));
});
