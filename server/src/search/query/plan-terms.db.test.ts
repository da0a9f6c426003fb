import { type IndexedStore, openIndexedStore } from '@postrider/testkit/database/indexed-store.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../db/connections.ts';
import { removeMessages } from '../../inboxes/remove-messages.ts';
import { readIndexState } from '../index/index-state.ts';
import { parseQuery } from '../text/parse-query.ts';
import { planTerms, wantedTerms } from './plan-terms.ts';
import { planRestrictions, type SearchFilters } from './restrictions.ts';

let index: IndexedStore;
let busy: string;
let quiet: string;
const ofQuiet: string[] = [];

beforeAll(async () => {
  index = await openIndexedStore();
  [busy, quiet] = [await index.store.inbox(), await index.store.inbox()];
  for (let at = 0; at < 12; at++)
    await index.add({ inboxId: busy, message: { subject: 'Indigo invoice', body_text: `number ${at}` } });
  for (let at = 0; at < 4; at++)
    ofQuiet.push(await index.add({ inboxId: quiet, message: { subject: 'Inbound', body_text: 'invoice' } }));
  await index.settled();
});
afterAll(() => index.close());

const plan = async (query: string, filters: SearchFilters = {}) => {
  const parsed = parseQuery(query);
  const restrictions = (await planRestrictions(index.ctx, parsed, filters))!;
  const { total } = await readIndexState(index.ctx);
  return planTerms(index.ctx, { wanted: wantedTerms(parsed.terms), facets: restrictions.facets, total });
};

test('the vocabulary tells which share of the messages an inbox, a direction and files leave', async () => {
  expect((await plan('invoice')).share).toBe(1);
  expect((await plan('invoice', { inbox_id: quiet })).share).toBe(0.25);
  expect((await plan(`invoice in:${busy}`)).share).toBe(0.75);
  expect((await plan(`invoice -in:${busy}`)).share).toBe(1);
  expect((await plan('invoice is:inbound', { inbox_id: quiet })).share).toBe(0.25);
  expect((await plan(`invoice in:${quiet}`, { inbox_id: quiet })).share).toBe(0.25);
});

test('facets complete no word', async () => {
  const insert = `insert into search_words (workspace_id, word, n, variants) values ($1, 'has:attachment', 9, '{}'), ($1, 'hasty', 1, '{}')`;
  await index.store.rows(insert, [index.store.workspaceId]);
  expect((await plan('has')).wording.endings).toEqual(['ty']);
});

test('a misspelled word is expected in as many messages as the words that it may stand for', async () => {
  const { terms } = await plan('indgio');
  expect(terms[0]?.count).toBe(12);
});

test('messages that were removed do not count', async () => {
  await inTransaction(index.ctx, (tx) => removeMessages(tx, ofQuiet.slice(0, 2)));
  await index.settled();
  const [row] = await index.store.rows<{ n: number }>('select n from search_words where word = $1', [
    `in:${quiet}`,
  ]);
  expect(row?.n).toBe(2);
});
