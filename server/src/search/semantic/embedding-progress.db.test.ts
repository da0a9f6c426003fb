import { createHashedEmbedding, type HashedEmbedding } from '@postrider/testkit/database/hashed-embedding.ts';
import { type IndexedStore, openIndexedStore } from '@postrider/testkit/database/indexed-store.ts';
import { createMovingClock, type MovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Context } from '../../context.ts';
import { timeOfId } from '../../lib/ids.ts';
import { searchWaits } from '../query/match-slice.ts';
import { findSearchPage } from '../query/search-messages.ts';
import { searchStatus } from '../search-status.ts';
import { embedAgain, turnOffUnasked } from './embedding-progress.ts';
import { waitForVectors } from './read-meaning.ts';
import { startEmbedding } from './start-embedding.ts';

const dayMs = 86_400_000;
const usualWaits = { ...searchWaits };

let indexed: IndexedStore;
let provider: HashedEmbedding;
let clock: MovingClock;
let ctx: Context;
let inboxId: string;
let stop: () => Promise<void>;

beforeEach(async () => {
  indexed = await openIndexedStore();
  provider = createHashedEmbedding();
  clock = createMovingClock();
  const config = { plans: { business: { semantic_search: true } }, embeddings: { kind: 'words' } };
  ctx = { ...indexed.ctx, config, plan: 'business', embedding: provider, clock } as unknown as Context;
  inboxId = await indexed.store.inbox();
  stop = startEmbedding(ctx);
  Object.assign(searchWaits, { vectorsMs: 300_000, firstVectorsMs: 300_000 });
});

afterEach(async () => {
  Object.assign(searchWaits, usualWaits);
  await stop();
  await indexed.close();
});

const add = async (text: string) => {
  const id = await indexed.add({ inboxId, message: { subject: text, body_text: text } });
  await indexed.settled();
  return id;
};
const search = async (query: string, mode: 'keyword' | 'semantic' | 'hybrid' = 'hybrid') => {
  const page = await findSearchPage(ctx, { query, mode, limit: 10, filters: {} });
  return { ...page, ids: page.hits.map(({ details }) => details.row.id) };
};
const count = async (table: string) =>
  (await indexed.store.rows<{ n: number }>(`select count(*)::int as n from ${table}`))[0]!.n;
const askedAt = async () =>
  (await indexed.store.rows<{ asked_at: Date }>('select asked_at from embedding_progress'))[0]?.asked_at;
const settles = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 300_000, interval: 20 });

describe('a workspace that has not searched by meaning', () => {
  test('has no vectors, and nothing that waits for one', async () => {
    await add('apples and pears');
    await search('apples', 'keyword');
    for (const table of ['pending', 'progress']) expect(await count(`embedding_${table}`)).toBe(0);
    expect([await count('search_codes'), await count('search_vectors')]).toEqual([0, 0]);
    const { embedding } = await searchStatus(ctx);
    expect(embedding).toMatchObject({ workspaces: 0, pending: 0, backfill: { workspaces: 0, messages: 0 } });
    expect(provider.calls).toEqual([]);
  });

  test('has its mail embedded by the first search, and then what comes', async () => {
    const old = await add('apples and pears');
    expect(await search('pears')).toMatchObject({ ids: [old], modeUsed: 'hybrid', rankedWithin: null });
    const ids = [await add('trains and planes'), old];
    expect(await search('pears planes', 'semantic')).toMatchObject({
      ids: expect.arrayContaining(ids),
      modeUsed: 'semantic',
    });
    expect((await searchStatus(ctx)).embedding).toMatchObject({ workspaces: 1, embedded: 2 });
  });

  test('has all searches wait that come while the first one does', async () => {
    await add('apples and pears');
    const embedding = Promise.withResolvers<void>();
    provider.meanwhile = () => embedding.promise;
    const first = waitForVectors(ctx, searchWaits);
    await settles(async () => expect(await count('embedding_progress')).toBe(1));
    let hasEnded = false;
    const second = waitForVectors(ctx, searchWaits).finally(() => {
      hasEnded = true;
    });
    // These ask the same of the database after it.
    for (let turn = 0; turn < 5; turn++) await waitForVectors(ctx, { vectorsMs: 0, firstVectorsMs: 0 });
    expect(hasEnded).toBe(false);
    embedding.resolve();
    await Promise.all([first, second]);
    expect(await count('search_codes')).toBe(1);
  });

  test('is told which messages were compared until the older ones are embedded', async () => {
    const texts = Array.from({ length: 100 }, (_, number) => `apples ${number}`);
    await indexed.store.storeBatch(texts.map((text) => ({ inboxId, message: { subject: text } })));
    await indexed.settled();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    provider.meanwhile = () => (provider.calls.length > 1 ? second : first).promise;
    searchWaits.firstVectorsMs = 0;
    expect(await search('apples')).toMatchObject({ modeUsed: 'keyword', fallbackReason: 'unavailable' });
    first.resolve();
    await settles(async () => expect(await count('search_codes')).toBe(64));
    const { rankedWithin, modeUsed } = await search('apples');
    const [left] = await indexed.store.rows<{ id: string }>(
      'select max(message_id) as id from embedding_pending',
    );
    expect([modeUsed, rankedWithin]).toEqual(['hybrid', timeOfId(left!.id)]);
    second.resolve();
    await settles(async () => expect((await search('apples')).rankedWithin).toBeNull());
    expect(await count('search_codes')).toBe(100);
  });

  test('loses the vector of a message whose text has changed', async () => {
    const id = await add('apples and pears');
    await search('apples');
    await indexed.store.rows('delete from embedding_progress');
    await embedAgain(ctx, id);
    expect([await count('search_codes'), await count('embedding_pending')]).toEqual([0, 0]);
  });
});

describe('a workspace that searches by meaning', () => {
  test('notes so once a day at most', async () => {
    await search('apples');
    const first = await askedAt();
    clock.advance(0.9 * dayMs);
    await search('apples');
    expect(await askedAt()).toEqual(first);
    clock.advance(0.2 * dayMs);
    await search('apples');
    expect((await askedAt())!.getTime()).toBeGreaterThan(first!.getTime() + dayMs);
  });

  test('is embedded until it has not done so for 30 days, and catches up when it does again', async () => {
    const before = await add('apples and pears');
    await search('apples');
    clock.advance(29 * dayMs);
    await turnOffUnasked(ctx);
    const within = await add('pears and plums');
    await settles(async () => expect(await count('search_codes')).toBe(2));

    provider.isDown = true;
    const waiting = await add('plums and apples');
    expect((await searchStatus(ctx)).embedding).toMatchObject({ pending: 1 });
    clock.advance(2 * dayMs);
    await turnOffUnasked(ctx);
    provider.isDown = false;
    const after = await add('pears and apples');
    expect((await searchStatus(ctx)).embedding).toMatchObject({ workspaces: 0, pending: 0, embedded: 2 });

    provider.calls = [];
    const { ids, rankedWithin } = await search('apples pears plums', 'semantic');
    expect([ids.toSorted(), rankedWithin]).toEqual([[before, within, waiting, after].toSorted(), null]);
    expect(provider.calls.flat()).toHaveLength(2);
  });
});
