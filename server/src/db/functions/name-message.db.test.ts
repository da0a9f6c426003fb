import { type MailStore, openMailStore, type StoredMail } from '@postrider/testkit/database/stored-mail.ts';
import { awaiting, findThread, readLines } from '@postrider/testkit/database/thread-rows.ts';
import { inTwoTransactions } from '@postrider/testkit/database/two-transactions.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sha256 } from '../../lib/crypto/primitives.ts';
import { newId } from '../../lib/ids.ts';

let store: MailStore;
let workspaceId: string;
let inboxId: string;

beforeAll(async () => {
  store = await openMailStore();
  workspaceId = store.workspaceId;
});
afterAll(() => store.close());

beforeEach(async () => {
  inboxId = await store.inbox();
});

const noon = Date.UTC(2026, 2, 1, 12);
const minute = (count: number) => new Date(noon + count * 60_000);
const storeIn = (mail: Omit<StoredMail, 'inboxId'>, inbox = inboxId) =>
  store.keep({ inboxId: inbox, ...mail });
const hash = (id: string) => sha256(id).toString('hex');

const name = (messageId: string, ids: string[], ws = workspaceId) =>
  store.rows('select name_message($1, $2, $3)', [ws, messageId, JSON.stringify(ids.map(hash))]);
const named = (messageId: string) =>
  readLines(store, `select encode(hash, 'hex') as line from message_ids where message_id = $1 order by 1`, [
    messageId,
  ]);

test('name_message adds ids once, by which later mail joins the thread of the message', async () => {
  const { messageId, threadId } = await storeIn({ own: '<own@x>' });
  await name(messageId, []);
  expect(await named(messageId)).toEqual([hash('<own@x>')]);
  await name(messageId, ['<given@x>', '<own@x>']);
  await name(messageId, ['<given@x>']);
  expect(await named(messageId)).toEqual([hash('<given@x>'), hash('<own@x>')].toSorted());
  expect(await storeIn({ named: ['<given@x>'] })).toMatchObject({ threadId });
});

test.each([
  ['of the message', 0],
  ['that waited', 9],
])('name_message merges all threads that waited for its ids into the oldest: that %s', async (_case, at) => {
  const [one, two] = [
    await storeIn({ named: ['<one@x>'], at: minute(1) }),
    await storeIn({ named: ['<two@x>', '<other@x>'], at: minute(2) }),
  ];
  const sent = await storeIn({ at: minute(at) });
  const elsewhere = await storeIn({ named: ['<one@x>'] }, await store.inbox());
  await name(sent.messageId, ['<one@x>', '<two@x>']);
  const oldest = at === 0 ? sent.threadId : one.threadId;
  for (const { messageId } of [one, two, sent]) expect(await findThread(store, messageId)).toBe(oldest);
  expect(await awaiting(store, inboxId)).toEqual([`${oldest} ${hash('<other@x>')}`]);
  expect(await findThread(store, elsewhere.messageId)).toBe(elsewhere.threadId);
});

test('name_message does nothing for a message of another workspace, or whose inbox is deleted', async () => {
  const waiting = await storeIn({ named: ['<late@x>'] });
  const sent = await storeIn({ own: '<own@x>' });
  await name(sent.messageId, ['<late@x>'], newId('wsp'));
  await name(newId('msg'), ['<late@x>']);
  await store.rows('update inboxes set deleted_at = now() where id = $1', [inboxId]);
  await name(sent.messageId, ['<late@x>']);
  expect(await named(sent.messageId)).toEqual([hash('<own@x>')]);
  expect(await findThread(store, waiting.messageId)).toBe(waiting.threadId);
});

test('name_message is waited for by a mail that names one of the ids at that moment', () =>
  inTwoTransactions(store.database.pool, async (first, second) => {
    const { messageId, threadId } = await storeIn({});
    await first.rows('select name_message($1, $2, $3)', [workspaceId, messageId, `["${hash('<given@x>')}"]`]);
    const answering = second.rows(...store.storeSql([{ inboxId, named: ['<given@x>'] }]));
    await first.blocks(second);
    await first.commit();
    expect(await answering).toMatchObject([{ answer: { outcome: 'stored', thread_id: threadId } }]);
  }));
