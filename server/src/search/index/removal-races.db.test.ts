import { type IndexedStore, openIndexedStore } from '@postrider/testkit/database/indexed-store.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../db/connections.ts';
import { scoped } from '../../db/scoped.ts';
import { removeMessages } from '../../inboxes/remove-messages.ts';
import { newId } from '../../lib/ids.ts';
import { turnOnEmbedding } from '../semantic/embedding-progress.ts';
import { indexAgain } from './index-state.ts';

let index: IndexedStore;
let stopSecond: () => Promise<void>;

beforeAll(async () => {
  index = await openIndexedStore(20);
  await turnOnEmbedding(index.ctx, 1);
  stopSecond = index.startIndexer();
  // Messages are removed last, so that this leaves time to index one whose other rows are gone already.
  await index.store.rows(`create function take_time() returns trigger language plpgsql as $$ begin
    perform pg_sleep(0.03); return null; end $$`);
  await index.store.rows(
    'create trigger slow before delete on messages for each statement execute function take_time()',
  );
});
afterAll(async () => {
  await stopSecond();
  await index.close();
});

const writers = 4;
const mailsOfWriter = 60;

/** A word that no other message has: only letters, so that it could be offered for a typo. */
const ownWord = (id: string) =>
  `own${[...id.slice(-12)].map((character) => String.fromCharCode(97 + (character.charCodeAt(0) % 26))).join('')}`;

/** Removes a message as its deletion does. The lock on it still lets others refer to it. */
const removeOne = (id: string) =>
  inTransaction(index.ctx, async (tx) => {
    const locked = await scoped(tx)
      .selectFrom('messages')
      .select('id')
      .where('id', '=', id)
      .forNoKeyUpdate()
      .execute();
    if (locked.length > 0) await removeMessages(tx, [id]);
  });

/** Removes a batch of messages as the purge of an inbox or a thread does. */
const removeSome = (inboxId: string, limit: number) =>
  inTransaction(index.ctx, async (tx) => {
    const rows = await scoped(tx)
      .selectFrom('messages')
      .select('id')
      .where('inbox_id', '=', inboxId)
      .limit(limit)
      .forUpdate()
      .execute();
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await removeMessages(tx, ids);
    return ids.length;
  });

test('once all is quiet, the index has exactly the messages that are there, and no table a trace of those that were removed', async () => {
  const { store, ctx } = index;
  const removed: string[] = [];
  const write = async (writer: number) => {
    const inboxId = await store.inbox();
    const mine: string[] = [];
    for (let n = 0; n < mailsOfWriter; n += 1) {
      const id = newId('msg');
      const text = `A common text ${ownWord(id)} with number ${n} and ${ownWord(id)}x.`;
      await index.add({
        inboxId,
        message: { id, subject: `Mail ${n} of ${writer}`, body_text: text, extracted_text: null },
      });
      mine.push(id);
      if (n % 3 === 0) await inTransaction(ctx, (tx) => indexAgain(tx, mine.slice(-4)));
      // The message may be pending, in a batch that is being written, or indexed.
      if (n % 4 === 1) {
        const id = mine.splice(n % 8 === 1 ? -1 : -3, 1)[0] ?? '';
        removed.push(id);
        await removeOne(id);
      }
      if (n % 20 === 19) {
        const gone = await removeSome(inboxId, 7);
        expect(gone).toBeGreaterThan(0);
      }
      if (n % 10 === 5)
        await sql`update messages set is_read = not is_read where inbox_id = ${inboxId}`.execute(ctx.db);
    }
    // The inbox of one writer is removed as a whole while its last mail is being indexed.
    if (writer === 0) while ((await removeSome(inboxId, 50)) > 0);
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  await index.settled();

  const live = (await store.rows<{ id: string }>('select id from messages order by id')).map(({ id }) => id);
  const found = await store.rows<{ message_id: string }>(
    'select message_id from search_messages order by message_id',
  );
  expect(live.length).toBeGreaterThan(writers * 10);
  expect(removed.length).toBeGreaterThan(writers * 10);
  expect(found.map(({ message_id }) => message_id)).toEqual(live);
  const words = await store.rows<{ word: string; n: number }>(
    `select word, n from search_words where word like 'own%' order by word`,
  );
  expect(words.map(({ word }) => word)).toEqual(
    live.flatMap((id) => [ownWord(id), `${ownWord(id)}x`]).sort(),
  );
  for (const table of ['search_pending', 'search_gone'])
    expect(await store.rows(`select from ${table}`)).toEqual([]);
  await expectNoTrace(removed);
  // Two transactions that waited for each other would show here.
  expect(index.problems).toEqual([]);
});

/** Looks for ids in every column of every table of the search. */
const expectNoTrace = async (ids: string[]) => {
  const tables = await index.store.rows<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and (tablename like 'search\\_%' or tablename like 'embedding\\_%' or tablename = 'attachment_texts')`,
  );
  expect(tables.length).toBeGreaterThan(6);
  for (const { name } of tables) {
    const rows = await index.store.rows<{ row: string }>(`select t::text as row from ${name} t`);
    for (const { row } of rows) for (const id of ids) expect(row.includes(id)).toBe(false);
  }
};
