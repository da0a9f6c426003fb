import { freshDatabase, hasExtension } from '@postrider/testkit/database/fresh-database.ts';
import { createHashedEmbedding } from '@postrider/testkit/database/hashed-embedding.ts';
import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byteaList } from '../../db/binary-list.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/ids.ts';
import { wholeWorkspace } from '../../lib/scope.ts';
import { bucketMessages } from '../index/choose-bucket.ts';
import { nearestStatus } from './embedding-status.ts';
import { indexedIds } from './indexed-ids.ts';
import { keepVectorIndexes, loadExtension } from './keep-vector-indexes.ts';
import { type NearestLimits, nearestMessages } from './nearest-messages.ts';
import { codeBits, codeOf, packVector } from './quantize.ts';
import { codesInScope, type SemanticScope } from './semantic-scope.ts';
import { indexName, ofIndex, readVectorIndexes } from './vector-indexes.ts';
import { spaceOf } from './vector-space.ts';

/** Only a Postgres with pgvector shows what an index does. */
const hasVector = await hasExtension('vector');
const codesCount = 6_000;
const vocabulary = Array.from({ length: 300 }, (_, index) => `word${index}`);
const queries = ['word1 word2', 'word17 word200', 'word40 word41 word42', 'word5 word77', 'word123 word9'];
const going = new AbortController().signal;
const provider = createHashedEmbedding();
const space = spaceOf(provider);

let store: MailStore;
let ids: string[];
let inboxes: string[];
const ctx = () => ({ ...store.deps, workspaceId: store.workspaceId, scope: wholeWorkspace });
const keep = (codesMin = 2_000, of: number | null = space) =>
  keepVectorIndexes(store.deps, of, going, codesMin);
const keepAll = async (codesMin?: number, of?: number | null) => {
  while (await keep(codesMin, of));
  return readVectorIndexes(store.deps);
};

let seed = 1;
const random = (below: number) => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % below;
};

/** Stores codes and vectors of texts, in one of two inboxes: one message in twenty is in the first. */
const addCodes = async (from: number, count: number) => {
  const numbers = Array.from({ length: count }, (_, index) => from + index);
  const added = numbers.map((number) => newId('msg', new Date(Date.UTC(2026, 0, 1) + number * 60_000)));
  const texts = numbers.map(() =>
    Array.from({ length: 3 + random(9) }, () => vocabulary[random(vocabulary.length)]).join(' '),
  );
  const vectors = await provider.embedMany(texts, going);
  await store.rows(
    `with item as (select * from unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) item(id, inbox, code, vector)),
      codes as (insert into search_codes (code, space, workspace_id, inbox_id, message_id)
        select code::bit(768), $5, $6, inbox, id from item)
      insert into search_vectors (workspace_id, message_id, vector) select $6, id, vector from item`,
    [
      added,
      numbers.map((number) => inboxes[number % 20 === 0 ? 0 : 1]),
      vectors.map(codeOf),
      byteaList(vectors.map(packVector)),
      space,
      store.workspaceId,
    ],
  );
  return added;
};

/** As the indexer would. */
const addBuckets = () => {
  const each = bucketMessages;
  return store.rows(
    `insert into search_buckets (workspace_id, bucket, number, block, oldest, newest)
      select $1, n, n + 1, 1, ($2::text[])[n * $4 + 1], ($2::text[])[least((n + 1) * $4::int, $3::int)] from generate_series(0, $3::int / $4::int) n`,
    [store.workspaceId, ids, codesCount, each],
  );
};

const setProgress = (before: string | null) =>
  store.rows(
    `insert into embedding_progress (workspace_id, space, before) values ($1, $2, $3)
      on conflict (workspace_id) do update set before = excluded.before`,
    [store.workspaceId, space, before],
  );

beforeAll(async () => {
  store = await openMailStore(10, freshDatabase);
  inboxes = [await store.inbox(), await store.inbox()];
  ids = [];
  for (let from = 0; from < codesCount; from += 500) ids.push(...(await addCodes(from, 500)));
  await addBuckets();
});
afterAll(() => store.close());

describe.skipIf(hasVector)('a database without pgvector', () => {
  test('has no index, and searches compare all codes', async () => {
    expect(await loadExtension(store.deps)).toBeInstanceOf(Error);
    await setProgress(null);
    expect(await keepAll()).toEqual([]);
    expect(await nearestStatus(store.deps)).toEqual({ pgvector: null, indexed: 0, building: 0 });
    const meaning = { vector: await provider.embedQuery('word1', going), space, comparedFrom: null };
    const limits = { messages: 400, compared: 10_000, indexed: 2_000 };
    const found = await inTransaction(ctx(), (inside) => nearestMessages(inside, {}, meaning, limits));
    expect(found.comparedFrom).toBeNull();
    expect(found.near).toHaveLength(400);
  });
});

describe.runIf(hasVector)('a database with pgvector', () => {
  const none = sql``;
  const codeFor = async (text: string) =>
    sql`${codeOf(await provider.embedQuery(text, going))}::bit(${sql.lit(codeBits)})`;

  /** The ids of the nearest codes, by the index and by comparing all. */
  const bothWays = async (
    text: string,
    scope: SemanticScope,
    passing: RawBuilder<unknown>,
    count: number,
  ) => {
    const code = await codeFor(text);
    const isInScope = await codesInScope(ctx(), scope, space);
    const search = { space, code, isInScope, passing };
    const indexed = await inTransaction(ctx(), (inside) => indexedIds(inside, search, count));
    const { rows } = await sql<{ message_id: string }>`select c.message_id from search_codes c ${passing}
      where ${isInScope} order by bit_count(c.code # ${code}) limit ${count}`.execute(store.database.db);
    return { indexed, exact: rows.map((row) => row.message_id) };
  };

  /** The share of the nearest messages that the index finds. */
  const meanRecall = async (scope: SemanticScope, passing: RawBuilder<unknown>, count: number) => {
    const shares: number[] = [];
    for (const text of queries) {
      const { indexed, exact } = await bothWays(text, scope, passing, count);
      const found = new Set(indexed);
      expect(found.size).toBe(count);
      shares.push(exact.filter((id) => found.has(id)).length / count);
    }
    return shares.reduce((sum, one) => sum + one, 0) / shares.length;
  };

  const find = async (text: string, scope: SemanticScope, limits: Partial<NearestLimits> = {}) => {
    const meaning = { vector: await provider.embedQuery(text, going), space, comparedFrom: null };
    const all = { messages: 400, compared: 2_000, indexed: 2_000, ...limits };
    return inTransaction(ctx(), (inside) => nearestMessages(inside, scope, meaning, all));
  };

  test('has no index until the extension is loaded, the workspace is large and all of it has vectors', async () => {
    await setProgress(null);
    expect(await keepAll()).toEqual([]);
    expect(await loadExtension(store.deps)).toBeNull();
    expect(await loadExtension(store.deps)).toBeNull();
    expect(await keepAll(10_000)).toEqual([]);
    await setProgress('msg_~');
    expect(await keepAll()).toEqual([]);
    await setProgress(null);
    const name = indexName(store.workspaceId, space);
    expect(await keepAll()).toEqual([{ name, workspaceId: store.workspaceId, space, state: 'ready' }]);
    const status = await nearestStatus(store.deps);
    expect(status).toEqual({ pgvector: expect.stringMatching(/^0\.[89]\d*\./), indexed: 1, building: 0 });
  });

  test('keeps the index of a workspace that has become a little smaller', async () => {
    expect(await keepAll(7_000)).toHaveLength(1);
  });

  test('is asked by the index, of which the condition of the workspace is a part', async () => {
    const plan = await inTransaction(ctx(), async (inside) => {
      await sql`set local enable_sort = off`.execute(inside.db);
      const isInScope = await codesInScope(inside, {}, space);
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select c.message_id from search_codes c
        where ${ofIndex(store.workspaceId, space)} and ${isInScope}
        order by c.code operator(public.<~>) ${await codeFor('word1')} limit 400`.execute(inside.db);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain(`Index Scan using ${indexName(store.workspaceId, space)}`);
  });

  test('finds nearly all of the nearest messages', async () => {
    expect(await meanRecall({}, none, 400)).toBeGreaterThan(0.9);
  });

  test('finds those of an inbox that one message in twenty is in', async () => {
    expect(await meanRecall({ inboxId: inboxes[0] }, none, 20)).toBeGreaterThan(0.9);
  });

  test('finds those of a label that one message in a hundred has', async () => {
    await store.rows('create table labelled as select unnest($1::text[]) as id', [
      ids.filter((_, index) => index % 100 === 50),
    ]);
    const passing = sql`join lateral (select from labelled l where l.id = c.message_id limit 1) passing on true`;
    expect(await meanRecall({}, passing, 20)).toBeGreaterThan(0.9);
  });

  test('returns nothing where fewer pass than are wanted, so that all are compared', async () => {
    const { indexed, exact } = await bothWays('word1', { inboxId: inboxes[0] }, none, 400);
    expect(indexed).toBeNull();
    expect(exact).toHaveLength(codesCount / 20);
  });

  test('returns nothing outside a transaction, and leaves no setting behind it', async () => {
    const search = { space, code: await codeFor('word1'), isInScope: sql`true`, passing: none };
    expect(await indexedIds(ctx(), search, 20)).toBeNull();
    const [row] = await store.rows<{ scan: string; sort: string }>(
      "select current_setting('hnsw.iterative_scan') as scan, current_setting('enable_sort') as sort",
    );
    expect(row).toEqual({ scan: 'off', sort: 'on' });
  });

  test('compares the whole of a large workspace by its index, and the newest part without', async () => {
    const text = 'word40 word41';
    const byIndex = await find(text, {});
    expect(byIndex.comparedFrom).toBeNull();
    expect(byIndex.near).toHaveLength(400);
    const exact = await find(text, {}, { compared: 100_000, indexed: 100_000 });
    const found = new Set(byIndex.near.map(({ id }) => id));
    expect(exact.near.slice(0, 20).filter(({ id }) => found.has(id)).length).toBeGreaterThan(18);
    expect(exact.comparedFrom).toBeNull();
    const bounded = await find(text, {}, { indexed: 100_000 });
    expect(bounded.comparedFrom).not.toBeNull();
  });

  test('finds messages that came after the index was built', async () => {
    const [id] = await addCodes(codesCount, 1);
    const [row] = await store.rows<{ code: string }>('select code from search_codes where message_id = $1', [
      id,
    ]);
    const search = {
      space,
      code: sql`${row!.code}::bit(768)`,
      isInScope: await codesInScope(ctx(), {}, space),
      passing: none,
    };
    const found = await inTransaction(ctx(), (inside) => indexedIds(inside, search, 1));
    expect(found).toEqual([id]);
  });

  test('builds an index again whose build was cut off, which no search asks meanwhile', async () => {
    await store.rows('update pg_index set indisvalid = false where indexrelid = $1::regclass', [
      indexName(store.workspaceId, space),
    ]);
    expect(await nearestStatus(store.deps)).toMatchObject({ indexed: 0, building: 1 });
    expect((await find('word1', {})).comparedFrom).not.toBeNull();
    expect(await keepAll()).toMatchObject([{ state: 'ready' }]);
    expect((await find('word1', {})).comparedFrom).toBeNull();
  });

  test('starts no build once it is stopped, and the next process makes up for it', async () => {
    await keepAll(20_000);
    expect(await readVectorIndexes(store.deps)).toEqual([]);
    const stopped = AbortSignal.abort();
    await expect(keepVectorIndexes(store.deps, space, stopped, 2_000)).rejects.toThrow();
    const [row] = await store.rows<{ memory: string }>(
      "select current_setting('maintenance_work_mem') as memory",
    );
    expect(row!.memory).not.toBe('512MB');
    expect(await keepAll()).toHaveLength(1);
  });

  test('drops the index once another provider is used, or none is wanted', async () => {
    expect(await keepAll(2_000, space + 1)).toEqual([]);
    expect(await keepAll()).toHaveLength(1);
    expect(await keepAll(2_000, null)).toEqual([]);
  });
});
