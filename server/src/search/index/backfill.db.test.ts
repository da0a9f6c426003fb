import { type IndexedStore, openIndexedStore } from '@postrider/testkit/database/indexed-store.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../db/connections.ts';
import { removeMessages } from '../../inboxes/remove-messages.ts';
import { newId } from '../../lib/ids.ts';
import { searchStatus } from '../search-status.ts';

let index: IndexedStore;
let inboxId: string;

beforeAll(async () => {
  index = await openIndexedStore();
  inboxId = await index.store.inbox();
});
afterAll(() => index.close());

const anHourMs = 3_600_000;
const count = 60;

/** Stores mail as a version without the index would have, while no indexer runs. */
const storeOld = async (subject: string): Promise<string[]> => {
  const at = Date.now() - anHourMs;
  const ids = Array.from({ length: count }, (_, n) => newId('msg', new Date(at + n)));
  await index.store.storeBatch(
    ids.map((id, n) => ({
      inboxId,
      at: new Date(at + n),
      message: { id, subject: `${subject} ${n}`, body_text: 'A text' },
    })),
  );
  for (const table of ['search_pending', 'search_workspaces']) await index.store.rows(`delete from ${table}`);
  return ids;
};
const readBuckets = async (ids: string[]) =>
  (
    await index.store.rows<{ bucket: number }>(
      'select bucket from search_messages where message_id = any($1)',
      [ids],
    )
  ).map(({ bucket }) => bucket);
const isDone = async () => (await searchStatus(index.deps)).backfill.workspaces === 0;
const small = {
  live: { messages: 4, bytes: 60_000 },
  old: { messages: 4, bytes: 60_000 },
  gone: { messages: 4, words: 10 },
};
/** Starts an indexer and waits until it knows of the old mail. */
const startSmall = async () => {
  const stop = index.startIndexer(small);
  await expect.poll(() => index.store.rows('select from search_workspaces'), { interval: 2 }).toHaveLength(1);
  return stop;
};

test('mail from before the index is indexed, in buckets of its own, however often the work is interrupted', async () => {
  await index.stop();
  const old = await storeOld('Pelican');
  const indexed = async () => (await searchStatus(index.deps)).indexed;
  for (let n = 0; n < 3; n += 1) {
    const before = await indexed();
    const stop = await startSmall();
    const isUnderWay = async () => (await indexed()) > before || (await isDone());
    await expect.poll(isUnderWay, { interval: 2 }).toBe(true);
    await stop();
  }
  const stop = await startSmall();
  const fresh = await index.add({ inboxId, message: { subject: 'Pelican of today', body_text: 'A text' } });
  await index.settled();
  await expect.poll(isDone).toBe(true);
  await stop();
  const buckets = await readBuckets(old);
  expect(buckets).toHaveLength(count);
  expect(buckets.every((bucket) => bucket < 0)).toBe(true);
  expect(await readBuckets([fresh])).toEqual([0]);
  const [word] = await index.store.rows<{ n: number }>(`select n from search_words where word = 'pelican'`);
  expect(word?.n).toBeGreaterThan(count / 4);
});

test('a message that is removed before the backfill comes to it leaves nothing behind', async () => {
  await index.store.rows('delete from messages');
  for (const table of ['search_messages', 'search_words', 'search_buckets'])
    await index.store.rows(`delete from ${table}`);
  const old = await storeOld('Cormorant');
  const stop = await startSmall();
  // The backfill begins with the newest.
  const removed = [...old.slice(0, 20), ...old.slice(-20)];
  for (const id of removed) await inTransaction(index.ctx, (tx) => removeMessages(tx, [id]));
  await expect.poll(isDone).toBe(true);
  await index.settled();
  await stop();
  const found = await index.store.rows<{ message_id: string }>(
    'select message_id from search_messages order by 1',
  );
  expect(found.map(({ message_id }) => message_id)).toEqual(old.slice(20, -20));
});
