import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { deliverMail, rfcId, type ThreadMail } from '@postrider/testkit/mail/thread-mail.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

const hour = 3_600_000;
const clock = createMovingClock();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

/** Delivers mails to an inbox one after another, a second apart. */
const deliver = async (inbox: Inbox, ...mails: ThreadMail[]) => {
  for (const mail of mails) {
    clock.advance(1_000);
    await deliverMail(server, inbox.address, mail);
  }
};

/** The threads of an inbox as the subjects of their messages, last activity first. */
const partition = async (inbox: Inbox) => {
  const { threads } = await server.client.threads.list({ inbox_id: inbox.id });
  return Promise.all(
    threads.map(async ({ id, message_count }) => {
      const { messages } = await server.client.threads.get(id);
      expect([message_count, new Set(messages.map((message) => message.thread_id))]).toEqual([
        messages.length,
        new Set([id]),
      ]);
      return messages.map((message) => message.subject);
    }),
  );
};

test('Threads GET /threads, Thread id, Thread inbox_id, Thread subject, Thread last_message_at: lists threads with count and labels, ordered by most recent activity', async () => {
  const inbox = await server.inbox();
  await deliver(
    inbox,
    { id: 'a', subject: 'First' },
    { id: 'b', from: 'bob@remote.example' },
    { id: 'a2', inReplyTo: 'a', from: 'eve@remote.example' },
  );
  const { threads, next_cursor } = await server.client.threads.list({ inbox_id: inbox.id });
  expect(next_cursor).toBeNull();
  expect(threads.map((thread) => [thread.subject, thread.message_count])).toEqual([
    ['First', 2],
    ['b', 1],
  ]);
  const [first] = threads;
  expect(first).toMatchObject({
    inbox_id: inbox.id,
    participants: ['ada@remote.example', inbox.address, 'eve@remote.example'],
    labels: [],
  });
  expect(Date.parse(first?.last_message_at ?? '')).toBeGreaterThan(Date.parse(first?.created_at ?? ''));
});

test('Threads GET /threads/{id}, Thread messages: answers the messages oldest first, with bodies and attachments', async () => {
  const inbox = await server.inbox();
  await deliver(inbox, { id: 'x', text: 'one' }, { id: 'y', inReplyTo: 'x', text: 'two' });
  const { threads } = await server.client.threads.list({ inbox_id: inbox.id });
  const thread = await server.client.threads.get(threads[0]?.id ?? '');
  expect(thread.messages.map((message) => message.body_text?.trim())).toEqual(['one', 'two']);
  expect([thread.messages_truncated, thread.message_count]).toEqual([false, 2]);
  expect(thread).toMatchObject({ ...threads[0] });
});

test('Interface 3 Thread: mail joins the thread of In-Reply-To, else of the rightmost known reference', async () => {
  const inbox = await server.inbox();
  await deliver(
    inbox,
    { id: 'a' },
    { id: 'b' },
    { id: 'by-reply', inReplyTo: 'a', references: ['b'] },
    { id: 'by-right', references: ['a', 'b', 'unknown'] },
    { id: 'by-left', inReplyTo: 'nothing', references: ['a', 'nobody'] },
    { id: 'alone', inReplyTo: 'never', references: ['never', 'ever'] },
  );
  expect((await partition(inbox)).sort()).toEqual([
    ['a', 'by-reply', 'by-left'],
    ['alone'],
    ['b', 'by-right'],
  ]);
});

test('Interface 3 Thread: in the same inbox only', async () => {
  const [one, two] = [await server.inbox(), await server.inbox()];
  const foreign = await server.workspace();
  const three = await server.inbox(foreign);
  await deliver(one, { id: 'shared' });
  await deliver(two, { id: 'reply', inReplyTo: 'shared' }, { id: 'late', references: ['shared', 'reply'] });
  await deliver(three, { id: 'reply', inReplyTo: 'shared' });
  await deliver(one, { id: 'reply', inReplyTo: 'shared' });
  expect(await partition(one)).toEqual([['shared', 'reply']]);
  expect(await partition(two)).toEqual([['reply', 'late']]);
  expect((await foreign.client.threads.list()).threads.map((thread) => thread.message_count)).toEqual([1]);
});

test('Interface 3 Thread: replies of ours are part of it, and answers to them join it', async () => {
  const inbox = await server.inbox();
  await deliver(inbox, { id: 'question' });
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id });
  clock.advance(1_000);
  const reply = await server.client.messages.reply(messages[0]?.id ?? '', { text: 'answer' });
  const ours = reply.message_id.slice(1, -1).split('@')[0] ?? '';
  clock.advance(1_000);
  const raw = { id: 'thanks', references: ['question', ours] };
  await deliverMail(server, inbox.address, raw);
  expect(await partition(inbox)).toEqual([['question', 'Re: question', 'thanks']]);
});

test('Interface 3 Thread: threads merge when the mail arrives that they waited for; the older survives and the younger id keeps answering', async () => {
  const inbox = await server.inbox();
  await deliver(
    inbox,
    { id: 'c1' },
    { id: 'c2' },
    { id: 'c3', references: ['parent', 'c2'] },
    { id: 'c4', references: ['parent', 'c1'] },
  );
  const before = (await server.client.threads.list({ inbox_id: inbox.id })).threads;
  expect(before.map((thread) => thread.subject)).toEqual(['c1', 'c2']);
  const [older, younger] = before;
  await deliver(inbox, { id: 'parent' });
  expect(await partition(inbox)).toEqual([['c1', 'c2', 'c3', 'c4', 'parent']]);
  const { threads } = await server.client.threads.list({ inbox_id: inbox.id });
  expect(threads.map((thread) => thread.id)).toEqual([older?.id]);
  for (const id of [older?.id, younger?.id]) {
    expect((await server.client.threads.get(id ?? '')).id).toBe(older?.id);
    const { messages } = await server.client.messages.list({ thread_id: id });
    expect(messages.map((message) => message.thread_id)).toEqual(Array(5).fill(older?.id));
  }
  await deliver(inbox, { id: 'after', inReplyTo: 'c2' });
  expect((await server.client.threads.get(younger?.id ?? '')).message_count).toBe(6);
});

test('Interface 3 Thread: the ids of threads that were merged twice keep answering', async () => {
  const inbox = await server.inbox();
  await deliver(inbox, { id: 'x', inReplyTo: 'w' }, { id: 'y', inReplyTo: 'v' }, { id: 'o' });
  await deliver(inbox, { id: 'z', inReplyTo: 'o', references: ['v'] });
  const ids = (await server.client.threads.list({ inbox_id: inbox.id })).threads.map((thread) => thread.id);
  expect(ids).toHaveLength(3);
  await deliver(inbox, { id: 'n' }, { id: 'v', inReplyTo: 'n', references: ['w'] });
  expect((await partition(inbox)).map((subjects) => subjects.length).sort()).toEqual([1, 5]);
  await deliver(inbox, { id: 'w' });
  const survivor = (await server.client.threads.list({ inbox_id: inbox.id })).threads.map(
    (thread) => thread.id,
  );
  expect(survivor).toHaveLength(1);
  for (const id of ids) expect((await server.client.threads.get(id)).id).toBe(survivor[0]);
});

test('Interface 3 Thread: naming two threads in one mail merges nothing', async () => {
  const inbox = await server.inbox();
  await deliver(inbox, { id: 'p' }, { id: 'q' }, { id: 'both', inReplyTo: 'q', references: ['p', 'q'] });
  expect((await partition(inbox)).sort()).toEqual([['p'], ['q', 'both']]);
});

test('Interface 3 Thread: a mail that joins none joins the oldest thread that waits for an id which it names', async () => {
  const inbox = await server.inbox();
  await deliver(
    inbox,
    { id: 't1', references: ['JIRA.1'] },
    { id: 'r1', inReplyTo: 'never-came' },
    { id: 't2', references: ['JIRA.1'] },
    { id: 'r2', references: ['older', 'never-came'] },
    { id: 'both', inReplyTo: 'never-came', references: ['JIRA.1'] },
    { id: 'known-first', inReplyTo: 'r2', references: ['JIRA.1'] },
    { id: 'other', inReplyTo: 'nothing-waits-for-this' },
  );
  expect((await partition(inbox)).sort()).toEqual([
    ['other'],
    ['r1', 'r2', 'known-first'],
    ['t1', 't2', 'both'],
  ]);
  const elsewhere = await server.inbox();
  await deliver(elsewhere, { id: 't3', references: ['JIRA.1'] });
  expect(await partition(elsewhere)).toEqual([['t3']]);
  await deliver(inbox, { id: 'older' });
  expect((await partition(inbox)).sort()).toContainEqual(['r1', 'r2', 'known-first', 'older']);
});

test('Interface 3 Thread: of a long chain every reference can be known', async () => {
  const inbox = await server.inbox();
  const chain = Array.from({ length: 301 }, (_, at) => (at === 150 ? 'middle' : `gone-${at}`));
  await deliver(inbox, { id: 'middle' }, { id: 'end', references: chain });
  expect(await partition(inbox)).toEqual([['middle', 'end']]);
});

test('Interface 3 Thread: a conversation that arrives in any order is one thread', async () => {
  const mails: ThreadMail[] = [
    { id: '1' },
    { id: '2', inReplyTo: '1', references: ['1'] },
    { id: '3', inReplyTo: '2', references: ['1', '2'] },
    { id: '4', inReplyTo: '2' },
  ];
  const orders = permutations(mails);
  expect(orders).toHaveLength(24);
  const results = orders.map(async (order) => {
    const inbox = await server.inbox();
    for (const mail of order) await deliverMail(server, inbox.address, mail);
    return (await partition(inbox)).map((subjects) => subjects.sort());
  });
  for (const result of await Promise.all(results)) expect(result).toEqual([['1', '2', '3', '4']]);
});

const permutations = <T>(items: T[]): T[][] =>
  items.length <= 1
    ? [items]
    : items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));

test('Interface 3 Thread: a mail that names itself, and mails that name each other, do no harm', async () => {
  const inbox = await server.inbox();
  await deliver(
    inbox,
    { id: 'self', inReplyTo: 'self', references: ['self', 'self'] },
    { id: 'reply', inReplyTo: 'self' },
  );
  await deliver(inbox, { id: 'ring1', references: ['ring2'] }, { id: 'ring2', references: ['ring1'] });
  expect(await partition(inbox)).toEqual([
    ['ring1', 'ring2'],
    ['self', 'reply'],
  ]);
});

test('Interface 3 Thread: the same Message-ID with other bytes is another message of the same thread', async () => {
  const inbox = await server.inbox();
  await deliver(
    inbox,
    { id: 'twin', subject: 'one' },
    { id: 'twin', subject: 'two' },
    { id: 'reply', inReplyTo: 'twin' },
  );
  expect(await partition(inbox)).toEqual([['one', 'two', 'reply']]);
});

test('Interface 3 Thread: a redelivery within 72 hours is stored once, later again', async () => {
  const inbox = await server.inbox();
  const mail = { id: 'again', subject: 'again' };
  await deliver(inbox, mail, mail);
  clock.advance(71 * hour);
  await deliver(inbox, mail);
  expect(await partition(inbox)).toEqual([['again']]);
  clock.advance(2 * hour);
  await deliver(inbox, mail);
  expect((await partition(inbox)).flat()).toEqual(['again', 'again']);
  expect(await server.rows('select 1 from message_ids where inbox_id = $1', [inbox.id])).toHaveLength(2);
  expect(rfcId('again')).toBe(
    (await server.client.messages.list({ inbox_id: inbox.id })).messages[0]?.message_id,
  );
});

test('Interface 2: the order of threads is stable while mail comes in between two pages', async () => {
  const inbox = await server.inbox();
  await deliver(inbox, ...['1', '2', '3', '4', '5'].map((id) => ({ id })));
  const seen: string[] = [];
  let page = await server.client.threads.list({ inbox_id: inbox.id, limit: 2 });
  for (;;) {
    seen.push(...page.threads.map((thread) => thread.subject));
    if (!page.hasNextPage()) break;
    await deliver(
      inbox,
      { id: `new-${seen.length}` },
      { id: `reply-${seen.length}`, inReplyTo: seen[0] ?? '' },
    );
    page = await page.nextPage();
  }
  expect(seen).toEqual(['5', '4', '3', '2', '1']);
});
