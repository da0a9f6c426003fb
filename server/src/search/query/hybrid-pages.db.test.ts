import { createHashedEmbedding } from '@postrider/testkit/database/hashed-embedding.ts';
import { createSmallBuckets } from '@postrider/testkit/database/small-buckets.ts';
import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../../context.ts';
import { createTimeScale, systemClock } from '../../lib/clock.ts';
import { encodeCursor } from '../../lib/cursor.ts';
import { newId } from '../../lib/ids.ts';
import { wholeWorkspace } from '../../lib/scope.ts';
import { vectorSpace } from '../semantic/vectors.ts';
import { searchLimits } from './match-slice.ts';
import { findSearchPage } from './search-messages.ts';

/** More than a hybrid search compares, so that it has to choose the same ones for each page. */
const mailsCount = 230;
const query = 'alpha ';

const usual = structuredClone(searchLimits);
let store: MailStore;
let ctx: Context;
let receive: (number: number) => Promise<void>;

beforeAll(async () => {
  store = await openMailStore();
  const { deps, workspaceId } = store;
  const embedding = createHashedEmbedding();
  ctx = {
    ...deps,
    workspaceId,
    scope: wholeWorkspace,
    stopping: new AbortController().signal,
    clock: systemClock,
    timeScale: createTimeScale(1),
    plan: 'business',
    config: { plans: { business: { semantic_search: true } } },
    embedding,
  } as unknown as Context;
  // Without vectors, words alone decide.
  await store.rows('insert into embedding_progress (workspace_id, space, asked_at) values ($1, $2, now())', [
    workspaceId,
    vectorSpace(embedding),
  ]);
  const inboxId = await store.inbox();
  const index = createSmallBuckets(store, 6);
  receive = async (number) => {
    const id = newId('msg');
    const text = 'alpha '.repeat(1 + ((number * 7) % 12));
    await store.store({ inboxId, message: { id, subject: `Mail ${number}`, body_text: text } });
    await index({ id, inboxId, from: 'ada@example.com', subject: `Mail ${number}`, text });
  };
  for (let number = 0; number < mailsCount; number += 1) await receive(number);
});
afterAll(async () => {
  Object.assign(searchLimits, usual);
  await store.close();
});

const read = async (limit: number, cursor?: string) => {
  const page = await findSearchPage(ctx, { query, mode: 'hybrid', limit, cursor, filters: {} });
  expect(page.modeUsed).toBe('hybrid');
  return {
    ids: page.hits.map(({ details }) => details.row.id),
    next: page.next === null ? null : encodeCursor(page.keysAt(page.next)),
  };
};

test.each([
  ['a word that is in all messages', {}],
  ['too many messages for one ranking', { rowsMax: 60 }],
])('pages of hybrid search choose from the same messages, also while mail comes: %s', async (_, limits) => {
  Object.assign(searchLimits, structuredClone(usual), { rankedMin: 50 }, limits);
  const whole = await read(200);
  expect(whole.ids).toHaveLength(200);
  const paged: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await read(30, cursor ?? undefined);
    paged.push(...page.ids);
    cursor = page.next;
    await receive(mailsCount + paged.length);
  } while (cursor);
  expect(paged).toEqual(whole.ids);
});
