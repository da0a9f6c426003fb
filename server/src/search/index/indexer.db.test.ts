import { type IndexedStore, openIndexedStore } from '@postrider/testkit/database/indexed-store.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../db/connections.ts';
import { removeMessages } from '../../inboxes/remove-messages.ts';
import { searchStatus } from '../search-status.ts';
import { indexAgain } from './index-state.ts';

let index: IndexedStore;
let store: IndexedStore['store'];
let inboxId: string;

beforeAll(async () => {
  index = await openIndexedStore();
  store = index.store;
  inboxId = await store.inbox();
});
afterAll(() => index.close());

const storeMail = (subject: string, text: string, message: object = {}) =>
  index.add({ inboxId, message: { subject, body_text: text, extracted_text: null, ...message } });
const find = async (query: string) =>
  (
    await store.rows<{ message_id: string }>(
      'select message_id from search_messages where workspace_id = $1 and words @@ $2::tsquery order by message_id',
      [store.workspaceId, query],
    )
  ).map((row) => row.message_id);
const readCount = async (word: string) =>
  (
    await store.rows<{ n: number }>('select n from search_words where workspace_id = $1 and word = $2', [
      store.workspaceId,
      word,
    ])
  )[0]?.n;
describe('the indexer', () => {
  test('indexes what was stored, with its bucket and the counts of its words', async () => {
    const first = await storeMail('Zebra crossing', 'The quagga waits.');
    const second = await storeMail('Another zebra', 'Nothing else.');
    await index.settled();
    expect(await find('zebra')).toEqual([first, second].sort());
    expect(await find(`quagga & '@w${store.workspaceId}' & 'in:${inboxId}'`)).toEqual([first]);
    expect([await readCount('zebra'), await readCount('quagga')]).toEqual([2, 1]);
    const [bucket] = await store.rows<{ number: number; block: number; oldest: string; newest: string }>(
      'select number, block, oldest, newest from search_buckets where workspace_id = $1 and bucket = 0',
      [store.workspaceId],
    );
    expect(
      await find(`'@b${bucket?.number.toString(36)}' & '@k${bucket?.block.toString(36)}' & zebra`),
    ).toHaveLength(2);
    expect(bucket && bucket.oldest <= first && bucket.newest >= second).toBe(true);
    expect(await store.rows('select from search_pending')).toEqual([]);
  });

  test('counts every message of a batch, whether its words were known before or not', async () => {
    const mails = (count: number) =>
      Array.from({ length: count }, () => ({
        inboxId,
        message: { subject: 'Dugong', body_text: 'Stripes.' },
      }));
    let stored = 0;
    for (const count of [4, 6, 5]) {
      await store.storeBatch(mails(count));
      stored += count;
      await index.settled();
      // Numbers are exact as long as they are small.
      expect(await readCount('dugong')).toBe(stored);
    }
  });

  test('counts the words of the vocabulary, and takes in no more than mail of people has', async () => {
    const size = async () =>
      (await store.rows<{ n: number }>('select count(*)::int as n from search_words'))[0]?.n;
    const counted = async () =>
      (await store.rows<{ known_words: number }>('select known_words from search_workspaces'))[0]
        ?.known_words;
    expect(await counted()).toBe(await size());
    await store.rows('update search_workspaces set known_words = 30000');
    const sizeBefore = await size();
    const first = await storeMail('Marmoset', 'The marmoset and the zebra.');
    const second = await storeMail('Marmoset again', 'The marmoset and the zebra.');
    await index.settled();
    expect(await find('marmoset')).toEqual([first, second].sort());
    expect([await size(), await readCount('marmoset')]).toEqual([sizeBefore, undefined]);
    expect(await readCount('zebra')).toBeGreaterThan(2);
    await store.rows('update search_workspaces set known_words = 100');
    const gone = await storeMail('Ocelot', 'Two more words: aardwolf, binturong.');
    await index.settled();
    const grown = ((await size()) ?? 0) - (sizeBefore ?? 0);
    expect(grown).toBeGreaterThanOrEqual(3);
    expect(await counted()).toBe(100 + grown);
    await inTransaction(index.ctx, (tx) => removeMessages(tx, [gone]));
    await index.settled();
    expect(await readCount('binturong')).toBeUndefined();
    expect(await counted()).toBe(100 + ((await size()) ?? 0) - (sizeBefore ?? 0));
  });

  test('takes the words of a removed message out of the vocabulary, unless others have them', async () => {
    const kept = await storeMail('Ostrich', 'A shared word.');
    const gone = await storeMail('Ostrich again', 'An utterly singular capybara.');
    await index.settled();
    await inTransaction(index.ctx, (tx) => removeMessages(tx, [gone]));
    await index.settled();
    expect(await find('ostrich')).toEqual([kept]);
    expect([await readCount('ostrich'), await readCount('capybara')]).toEqual([1, undefined]);
    // A word that was taken out comes back with the next message that has it.
    await storeMail('Once more', 'The capybara returns.');
    await index.settled();
    expect(await readCount('capybara')).toBe(1);
  });

  test('indexes a message again in its bucket when it is asked to', async () => {
    const id = await storeMail('Tapir', 'A text');
    await index.settled();
    await store.rows(`update messages set subject = 'Okapi' where id = $1`, [id]);
    await inTransaction(index.ctx, (tx) => indexAgain(tx, [id, id, 'msg_00000000000000000000000000']));
    await index.settled();
    expect([await find('tapir'), await find('okapi')]).toEqual([[], [id]]);
    await expect.poll(() => store.rows('select from search_pending')).toEqual([]);
  });

  test('tells what a sent reply says from what it quotes', async () => {
    const text =
      'The wombat is well.\n\nOn Mon, 4 May 2026, Bob <bob@example.com> wrote:\n> How is the numbat?';
    const id = await storeMail('Re: Animals', text, { direction: 'outbound' });
    await index.settled();
    expect([await find('wombat:c'), await find('numbat:c'), await find('numbat:d')]).toEqual([
      [id],
      [],
      [id],
    ]);
  });

  test('does not touch a message when it is read or labelled', async () => {
    const id = await storeMail('Lemur', 'A text');
    await index.settled();
    const version = () =>
      store.rows('select xmin::text, ctid from search_messages where message_id = $1', [id]);
    const before = await version();
    await store.rows('update messages set is_read = true where id = $1', [id]);
    expect([await version(), await store.rows('select from search_pending')]).toEqual([before, []]);
  });

  test('indexes a message without its texts if the database refuses these, and its neighbours whole', async () => {
    await store.rows(`create function refuse() returns trigger language plpgsql as $$ begin
      if new.words @@ 'indigestible' then raise 'refused' using errcode = '22023'; end if; return new; end $$`);
    await store.rows(
      'create trigger refused before insert on search_messages for each row execute function refuse()',
    );
    const mails = ['before', 'indigestible', 'after'].map((word) => ({
      inboxId,
      message: {
        subject: `Axolotl ${word === 'indigestible' ? 'two' : word}`,
        body_text: `Text ${word}`,
        extracted_text: null,
      },
    }));
    const ids = (await store.storeBatch(mails)).map((outcome) =>
      'messageId' in outcome ? outcome.messageId : '',
    );
    await index.settled();
    expect(await find('axolotl')).toEqual(ids.toSorted());
    expect(await find('axolotl & (before | after) & text')).toEqual([ids[0], ids[2]].sort());
    expect(await find(`axolotl & !text & 'in:${inboxId}'`)).toEqual([ids[1]]);
    expect(
      index.problems.splice(0).filter((line) => line.includes('could not be indexed as a whole')),
    ).toHaveLength(1);
    await store.rows('drop trigger refused on search_messages');
  });

  test('indexes a message as a whole after a failure that does not happen again', async () => {
    await store.rows('create sequence refusals');
    await store.rows(`create function refuse_once() returns trigger language plpgsql as $$ begin
      if nextval('refusals') = 1 then raise exception 'refused'; end if; return new; end $$`);
    await store.rows(
      'create trigger refused_once before insert on search_messages for each row execute function refuse_once()',
    );
    const id = await storeMail('Olm', 'The proteus sleeps.');
    await index.settled();
    await store.rows('drop trigger refused_once on search_messages');
    expect(await find('olm & proteus')).toEqual([id]);
    expect(index.problems).toEqual([]);
  });

  test('reads only the beginning of a body of megabytes', async () => {
    const filler = 'filler '.repeat(1_000_000);
    const id = await storeMail('Narwhal', `beginning ${filler} ending`);
    await index.settled();
    expect([await find('narwhal & beginning'), await find('narwhal & ending')]).toEqual([[id], []]);
  });

  test('indexes hostile text', async () => {
    const texts = [
      'a'.repeat(300_000),
      '\u0301'.repeat(100_000),
      `${'<'.repeat(50_000)}'"\\:*&|!()`,
      Array.from({ length: 20_000 }, (_, n) => `w${n.toString(36)}x`).join(' '),
      '請求書'.repeat(50_000),
      '\ud800 lone \udfff',
      'a.b@c.'.repeat(30_000),
    ];
    const ids: string[] = [];
    for (const text of texts) ids.push(await storeMail('Hostile', text));
    await index.settled();
    expect(await find('hostile')).toEqual(ids.sort());
    expect(index.problems).toEqual([]);
  });

  test('counts the status', async () => {
    const status = await searchStatus(index.deps);
    expect(status).toMatchObject({ pending: 0, lag_seconds: 0, backfill: { workspaces: 0, messages: 0 } });
    expect(status.indexed).toBeGreaterThan(4);
  });
});
