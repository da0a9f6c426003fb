import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { inTwoTransactions } from '@postrider/testkit/database/two-transactions.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../lib/ids.ts';

let store: MailStore;
let workspaceId: string;
let inboxId: string;

beforeAll(async () => {
  store = await openMailStore();
  workspaceId = store.workspaceId;
  inboxId = await store.inbox();
  await store.rows(`insert into leases (name, holder, ends_at) values ('search', 'leader', now())`);
});
afterAll(() => store.close());

beforeEach(async () => {
  for (const table of ['pending', 'workspaces', 'buckets', 'messages', 'words'])
    await store.rows(`delete from search_${table}`);
  for (const table of ['pending', 'progress']) await store.rows(`delete from embedding_${table}`);
  await store.rows('insert into search_workspaces (workspace_id) values ($1)', [workspaceId]);
  await store.rows('insert into search_buckets (workspace_id, bucket, number, block) values ($1, 0, 1, 1)', [
    workspaceId,
  ]);
});

/** Stores messages, which then wait for the index. */
const storeSome = async (count: number) => {
  const ids = Array.from({ length: count }, () => newId('msg'));
  await store.storeBatch(ids.map((id) => ({ inboxId, message: { id } })));
  return ids;
};

interface Batch {
  leader?: string;
  workspaces?: string[];
  revisions?: number[] | null;
  areNew?: boolean[];
  /** Each word with the place of its message, and what its number grows by; null for a word that the caller does not know. */
  words?: [message: number, word: string, add: number | null][];
  backfilled?: string | null;
}
const call = 'select * from index_messages($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)';
const batchValues = (ids: string[], batch: Batch = {}) => {
  const words = batch.words ?? [];
  const all = <Value>(value: Value) => ids.map(() => value);
  return [
    batch.leader ?? 'leader',
    batch.workspaces ?? all(workspaceId),
    ids,
    batch.revisions === undefined ? all(1) : batch.revisions,
    batch.areNew ?? all(true),
    all(0),
    ids.map((id) => `'${id}':1`),
    words.map(([message]) => message),
    words.map(([, word]) => word),
    words.map(([, , add]) => add),
    words.map(() => '{1,2}'),
    batch.backfilled ?? null,
  ];
};
interface Answer {
  indexed: number[] | null;
  learned: number[] | null;
  learned_n: number[] | null;
}
const index = async (ids: string[], batch?: Batch) =>
  (await store.rows<Answer>(call, batchValues(ids, batch)))[0]!;
const value = async (expression: string) =>
  (await store.rows<{ value: unknown }>(`select ${expression} as value`))[0]?.value;
const idsIn = (table: string) => value(`array(select message_id from ${table} order by 1)`);
const words = () => value(`(select coalesce(jsonb_object_agg(word, n), '{}') from search_words)`);
const unknown = (...names: string[]): Batch => ({ words: names.map((name) => [1, name, null]) });
/** The numbers of words that the caller did not know, by their places. */
const numbers = ({ learned, learned_n }: Answer) =>
  Object.fromEntries((learned ?? []).map((place, at) => [place, learned_n?.[at]]));
/** Has a workspace search by meaning. */
const embed = (id: string) =>
  store.rows('insert into embedding_progress (workspace_id, space, asked_at) values ($1, 1, now())', [id]);
const workspace = async () => (await store.rows('select * from search_workspaces'))[0];

test('index_messages writes nothing for a process that no longer leads', async () => {
  const ids = await storeSome(1);
  const none = { indexed: null, learned: null, learned_n: null };
  expect(await index(ids, { leader: 'former', words: [[1, 'word', 1]] })).toEqual(none);
  expect([await idsIn('search_messages'), await words()]).toEqual([[], {}]);
  expect(await idsIn('search_pending')).toEqual(ids);
});

test('index_messages of nothing writes nothing', async () => {
  expect(await index([])).toEqual({ indexed: [], learned: [], learned_n: [] });
  expect(await workspace()).toMatchObject({ in_newest: 0, known_words: 0 });
});

test('index_messages leaves out the embedding of workspaces that do not search by meaning', async () => {
  await embed(newId('wsp'));
  const ids = await storeSome(1);
  expect((await index(ids)).indexed).toEqual([1]);
  expect(await idsIn('embedding_pending')).toEqual([]);
});

test('index_messages moves messages from what waits into the index, and new ones on to the embedding', async () => {
  await embed(workspaceId);
  const ids = await storeSome(3);
  expect((await index(ids.slice(0, 2), { areNew: [true, false] })).indexed).toEqual([1, 2]);
  expect(await idsIn('search_messages')).toEqual(ids.slice(0, 2));
  expect(await idsIn('search_pending')).toEqual(ids.slice(2));
  expect(await idsIn('embedding_pending')).toEqual(ids.slice(0, 1));
  expect(await workspace()).toMatchObject({ in_newest: 1, in_oldest: 0 });
  expect(await store.rows('select oldest, newest from search_buckets')).toEqual([
    { oldest: ids[0]?.slice(0, 14), newest: `${ids[1]?.slice(0, 14)}~` },
  ]);
});

test('index_messages replaces what was indexed of a message before', async () => {
  const ids = await storeSome(1);
  await index(ids);
  await store.rows('insert into search_pending (workspace_id, message_id) values ($1, $2)', [
    workspaceId,
    ids[0],
  ]);
  const values = batchValues(ids, { areNew: [false] });
  values[6] = [`'changed':1`];
  expect(await store.rows(call, values)).toMatchObject([{ indexed: [1] }]);
  expect(await store.rows('select words::text from search_messages')).toEqual([{ words: `'changed':1` }]);
  expect(await workspace()).toMatchObject({ in_newest: 1 });
});

test('index_messages leaves out messages that are gone, changed, of another workspace, or not waiting', async () => {
  const [ready, gone, changed, done] = (await storeSome(4)) as [string, string, string, string];
  await store.rows('delete from messages where id = $1', [gone]);
  await store.rows('update search_pending set revision = 2 where message_id = $1', [changed]);
  await store.rows('delete from search_pending where message_id = $1', [done]);
  const ids = [gone, changed, done, ready, ready];
  const answer = await index(ids, {
    workspaces: [workspaceId, workspaceId, workspaceId, newId('wsp'), workspaceId],
    words: ids.map((_, at) => [at + 1, 'word', null]),
  });
  // The words of the others are not counted.
  expect(answer).toEqual({ indexed: [5], learned: [5], learned_n: [1] });
  expect(await idsIn('search_messages')).toEqual([ready]);
  expect(await idsIn('search_pending')).toEqual([gone, changed].toSorted());
});

test('index_messages leaves out a message that is being deleted, and its deletion waits for one that is written', () =>
  inTwoTransactions(store.database.pool, async (first, second) => {
    const [free, locked] = (await storeSome(2)) as [string, string];
    await second.rows('select from messages where id = $1 for update', [locked]);
    expect(await first.rows(call, batchValues([free, locked]))).toMatchObject([{ indexed: [1] }]);
    const deleting = second
      .rows('delete from messages where id = $1', [free])
      .then(() =>
        second.rows('delete from search_messages where message_id = $1 returning message_id', [free]),
      );
    await first.blocks(second);
    await first.commit();
    expect(await deleting).toEqual([{ message_id: free }]);
    expect(await idsIn('search_pending')).toEqual([locked]);
  }));

test('index_messages of a backfill continues below its last message and skips locked ones', () =>
  inTwoTransactions(store.database.pool, async (first, second) => {
    const [free, locked] = (await storeSome(2)) as [string, string];
    await store.rows('delete from search_pending');
    await first.rows('select from messages where id = $1 for update', [locked]);
    const backfill = (backfilled: string) => batchValues([free, locked], { revisions: null, backfilled });
    expect(await second.rows(call, backfill(free))).toMatchObject([{ indexed: [1] }]);
    await second.commit();
    expect([await idsIn('search_pending'), await idsIn('embedding_pending')]).toEqual([[locked], []]);
    expect(await workspace()).toMatchObject({ backfill_before: free });
    await index([], { revisions: null, backfilled: '' });
    expect(await workspace()).toMatchObject({ backfill_before: free });
    await index([free], { revisions: null, backfilled: '' });
    expect(await workspace()).toMatchObject({ backfill_before: null });
  }));

test('index_messages counts the words of all messages, and tells the numbers of unknown ones', async () => {
  const ids = await storeSome(2);
  const answer = await index(ids, {
    words: [
      [1, 'known', 5],
      [1, 'new', null],
      [2, 'new', null],
      [2, 'other', null],
    ],
  });
  expect([answer.indexed, numbers(answer)]).toEqual([[1, 2], { 2: 2, 4: 1 }]);
  expect(await words()).toEqual({ known: 5, new: 2, other: 1 });
  expect(await workspace()).toMatchObject({ known_words: 3 });
  const again = await index(await storeSome(1), unknown('new'));
  expect(again).toEqual({ indexed: [1], learned: [1], learned_n: [3] });
  await index(await storeSome(1), { words: [[1, 'known', 8]] });
  expect(await words()).toEqual({ known: 13, new: 3, other: 1 });
  expect(await workspace()).toMatchObject({ known_words: 3 });
});

test('index_messages takes no new word into a vocabulary that is full, and still counts the others', async () => {
  const [one, two] = (await storeSome(2)) as [string, string];
  await index([one], unknown('known'));
  const both = unknown('new', 'known');
  const fill = (count: number) => store.rows('update search_workspaces set known_words = $1', [count]);
  // 50 for each of the two messages that there are then.
  await fill(20_100);
  expect(numbers(await index([two], both))).toEqual({ 1: 1, 2: 2 });
  expect(await words()).toEqual({ known: 2 });
  await fill(20_149);
  await index(await storeSome(1), both);
  expect(await words()).toEqual({ known: 3, new: 1 });
});
