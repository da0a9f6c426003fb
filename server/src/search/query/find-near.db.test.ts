import { createHashedEmbedding } from '@postrider/testkit/database/hashed-embedding.ts';
import { type IndexedStore, openIndexedStore } from '@postrider/testkit/database/indexed-store.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Context } from '../../context.ts';
import { EmbeddingError } from '../../embedding/provider.ts';
import { embedPending } from '../semantic/embed-pending.ts';
import { refillPending, turnOnEmbedding } from '../semantic/embedding-progress.ts';
import { readMeaning } from '../semantic/read-meaning.ts';
import { vectorSpace } from '../semantic/vectors.ts';
import { start } from './find-hits.ts';
import { attempts, findNear } from './find-near.ts';
import { openSearch } from './open-search.ts';

let indexed: IndexedStore;
let ctx: Context;
let id: string;

beforeAll(async () => {
  indexed = await openIndexedStore();
  const provider = createHashedEmbedding();
  ctx = { ...indexed.ctx, embedding: provider } as Context;
  const inboxId = await indexed.store.inbox();
  id = await indexed.add({ inboxId, message: { subject: 'apples', body_text: 'apples and pears' } });
  await indexed.settled();
  await turnOnEmbedding(ctx, vectorSpace(provider));
  await refillPending(indexed.deps, vectorSpace(provider));
  await embedPending(indexed.deps, provider, false, ctx.stopping);
});
afterAll(() => indexed.close());

const prepare = async () => {
  const opened = await openSearch(ctx, { query: 'apples', filters: {} });
  const meaning = await readMeaning(ctx, 'apples');
  return () => findNear(ctx, opened!, 'semantic', meaning, { from: start, limit: 10 });
};

/** Returns when the transaction began that waits for the codes; null if none does. */
const waitingSince = async () => {
  const rows = await indexed.store.rows<{ since: string }>(
    `select xact_start::text as since from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%search_codes%'`,
  );
  return rows[0]?.since ?? null;
};
const waits = (check: (since: string) => boolean) =>
  vi.waitFor(
    async () => {
      const since = await waitingSince();
      if (since === null || !check(since)) throw new Error('Nothing waits for the codes.');
      return since;
    },
    { timeout: 300_000, interval: 20 },
  );

/** Runs `work` while no statement can read codes, and until it calls `release`. */
const withCodesHeld = async <T>(work: (release: () => Promise<void>) => Promise<T>) => {
  const client = await indexed.store.database.pool.connect();
  try {
    await client.query('begin');
    await client.query('lock table search_codes in access exclusive mode');
    return await work(async () => void (await client.query('rollback')));
  } finally {
    await client.query('rollback');
    client.release();
  }
};

describe('a comparison that takes too long', () => {
  test('is tried once more', async () => {
    const second = attempts[1]!;
    const { ms } = second;
    onTestFinished(() => void Object.assign(second, { ms }));
    second.ms = 300_000;
    const find = await prepare();
    const { hits } = await withCodesHeld(async (release) => {
      const found = find();
      const first = await waits(() => true);
      await waits((since) => since !== first);
      await release();
      return found;
    });
    expect(hits.map((hit) => hit.id)).toEqual([id]);
  });

  test('then fails as a provider does, so that keyword search takes over', async () => {
    const find = await prepare();
    await withCodesHeld(() => expect(find()).rejects.toThrow(EmbeddingError));
  });
});
