import { limits } from '@postrider/contract';
import { deliverMail, type ThreadMail } from '@postrider/testkit/mail/thread-mail.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const deliverAll = (inbox: Inbox, mails: ThreadMail[]) =>
  Promise.all(mails.map((mail) => deliverMail(server, inbox.address, mail)));

/** The threads of an inbox, checked against the messages in them. */
const threadsOf = async (inbox: Inbox) => {
  const { threads } = await server.client.threads.list({ inbox_id: inbox.id, limit: 100 });
  const counts = await server.rows<{ thread_id: string; count: number }>(
    'select thread_id, count(*) from messages where inbox_id = $1 group by 1',
    [inbox.id],
  );
  expect(threads.map((thread) => [thread.id, thread.message_count]).sort()).toEqual(
    counts.map((row) => [row.thread_id, row.count]).sort(),
  );
  return threads;
};

test('Interface 3 Thread: fifty replies to one mail at once are one thread', async () => {
  const inbox = await server.inbox();
  await deliverMail(server, inbox.address, { id: 'parent' });
  await deliverAll(
    inbox,
    numbers(50).map((i) => ({ id: `r${i}`, inReplyTo: 'parent' })),
  );
  expect((await threadsOf(inbox)).map((thread) => thread.message_count)).toEqual([51]);
});

test('Interface 3 Thread: fifty replies at once with the mail that they answer are one thread', async () => {
  const inbox = await server.inbox();
  const replies: ThreadMail[] = numbers(50).map((i) => ({ id: `r${i}`, inReplyTo: 'parent' }));
  await deliverAll(inbox, replies.toSpliced(25, 0, { id: 'parent' }));
  expect((await threadsOf(inbox)).map((thread) => thread.message_count)).toEqual([51]);
});

test('Interface 3 Thread: a long chain whose mails arrive all at once is one thread', async () => {
  const inbox = await server.inbox();
  const chain = numbers(30).map((i) => ({
    id: `c${i}`,
    inReplyTo: `c${i - 1}`,
    references: numbers(i).map((n) => `c${n - 1}`),
  }));
  await deliverAll(inbox, chain.slice(1).reverse());
  await deliverMail(server, inbox.address, { id: 'c1' });
  expect((await threadsOf(inbox)).map((thread) => thread.message_count)).toEqual([30]);
});

test('Interface 3 Thread: fifty mails at once that name one id which nobody bears are one thread', async () => {
  const inbox = await server.inbox();
  await deliverAll(
    inbox,
    numbers(50).map((i) => ({ id: `notice${i}`, references: ['tracker'] })),
  );
  expect((await threadsOf(inbox)).map((thread) => thread.message_count)).toEqual([50]);
});

test('Interface 3 Thread: threads that merge while answers to them come in lose none', async () => {
  const inbox = await server.inbox();
  await deliverAll(
    inbox,
    numbers(10).map((i) => ({ id: `x${i}` })),
  );
  await deliverAll(
    inbox,
    numbers(10).map((i) => ({ id: `w${i}`, inReplyTo: `x${i}`, references: ['late'] })),
  );
  expect(await threadsOf(inbox)).toHaveLength(10);
  const answers: ThreadMail[] = numbers(10).flatMap((i) =>
    [1, 2].map((n) => ({ id: `x${i}.${n}`, inReplyTo: `x${i}` })),
  );
  await deliverAll(inbox, answers.toSpliced(7, 0, { id: 'late' }));
  expect((await threadsOf(inbox)).map((thread) => thread.message_count)).toEqual([41]);
});

test('Interface 3 Thread: replies of ours at once with mail that merges the thread stay in it', async () => {
  const inbox = await server.inbox();
  await deliverAll(
    inbox,
    numbers(5).map((i) => ({ id: `y${i}` })),
  );
  await deliverAll(
    inbox,
    numbers(5).map((i) => ({ id: `v${i}`, inReplyTo: `y${i}`, references: ['root'] })),
  );
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id });
  const replies = messages.map((message) => server.client.messages.reply(message.id, { text: 'x' }));
  await Promise.all([...replies, deliverMail(server, inbox.address, { id: 'root' })]);
  expect((await threadsOf(inbox)).map((thread) => thread.message_count)).toEqual([21]);
});

test('Interface 3 Message: ten redeliveries at once of one mail store it once, and all are answered 250', async () => {
  const inbox = await server.inbox();
  await deliverAll(
    inbox,
    numbers(10).map(() => ({ id: 'same' })),
  );
  expect((await threadsOf(inbox)).map((thread) => thread.message_count)).toEqual([1]);
  const files = await server.rows('select id from messages where inbox_id = $1', [inbox.id]);
  expect(files).toHaveLength(1);
});

test('Interface 3 Thread: a thread read inlines the newest 200 messages, oldest first, with messages_truncated', async () => {
  const inbox = await server.inbox();
  await deliverMail(server, inbox.address, { id: 'start' });
  const mails = numbers(limits.threadMessagesMax + 4).map((i) => ({ id: `m${i}`, inReplyTo: 'start' }));
  for (let i = 0; i < mails.length; i += 17) await deliverAll(inbox, mails.slice(i, i + 17));
  const [thread] = await threadsOf(inbox);
  const read = await server.client.threads.get(thread?.id ?? '');
  expect([read.message_count, read.messages.length, read.messages_truncated]).toEqual([205, 200, true]);
  const ids = read.messages.map((message) => message.id);
  expect(ids).toEqual([...ids].sort());
  expect(read.messages.map((message) => message.subject)).not.toContain('start');
});
