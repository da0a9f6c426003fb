import { type IndexedStore, openIndexedStore } from '@postrider/testkit/database/indexed-store.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOwnVocabulary } from './own-vocabulary.ts';

let index: IndexedStore;
let own: string;

beforeAll(async () => {
  index = await openIndexedStore();
  own = await index.store.inbox();
  const other = await index.store.inbox();
  await index.add({ inboxId: own, message: { subject: 'Indigo', body_text: 'invoices' } });
  await index.add({ inboxId: other, message: { subject: 'Scarlet', body_text: 'invoices' } });
  await index.settled();
});
afterAll(() => index.close());

const counts = async (...words: string[]) => {
  const ctx = { ...index.ctx, scope: { ...index.ctx.scope, inboxIds: [own] } };
  const { lookUp } = await openOwnVocabulary(ctx, [own]);
  const found = await lookUp({ words, incomplete: null, facets: [] });
  return words.map((word) => found.counts.get(word));
};

test('words are counted in all their forms, among the own messages', async () => {
  expect(await counts('indigo', 'invoice', 'scarlet')).toEqual([1, 1, 0]);
  expect(await counts('indigo', 'invoice', 'scarlet')).toEqual([1, 1, 0]);
});

test('words that come into the index later are known at once', async () => {
  await index.add({ inboxId: own, message: { subject: 'Turquoise', body_text: 'invoices' } });
  await counts('turquoise');
  await index.settled();
  expect(await counts('turquoise', 'invoices')).toEqual([1, 2]);
  await index.store.rows(
    `update search_messages set words = words || 'umber'::tsvector
      where workspace_id = $1 and message_id = (select max(message_id) from search_messages where workspace_id = $1)`,
    [index.store.workspaceId],
  );
  expect(await counts('umber')).toEqual([1]);
});
