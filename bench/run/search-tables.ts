import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const bucketsInBlock = 32;
const indexed = ['search_messages', 'search_words', 'search_codes'];
const checkWaitMs = 60_000;

/** Creates the buckets of a workspace that will get so many mails, as its index would have. Returns their numbers and blocks. */
export async function makeBuckets(
  client: pg.Client,
  workspaceId: string,
  mails: number,
  bucketMessages: number,
): Promise<{ number: number; block: number }[]> {
  const count = Math.ceil(mails / bucketMessages);
  const { rows } = await client.query<{ number: string; block: string }>(
    `insert into search_buckets (workspace_id, bucket, number, block)
      select $1, n, first + n, first + n / ${bucketsInBlock} * ${bucketsInBlock}
      from (select nextval('search_bucket_ids') as first) ids, generate_series(0, $2::int - 1) n returning number, block`,
    [workspaceId, count],
  );
  await client.query("select setval('search_bucket_ids', (select max(number) from search_buckets))");
  await client.query(
    `insert into search_workspaces (workspace_id, newest_bucket, in_newest, backfill_before) values ($1, $2, $3, null)
      on conflict (workspace_id) do update set newest_bucket = excluded.newest_bucket, in_newest = excluded.in_newest, backfill_before = null`,
    [workspaceId, count - 1, mails - (count - 1) * bucketMessages],
  );
  return rows.map(({ number, block }) => ({ number: Number(number), block: Number(block) }));
}

/** Drops the indexes that are faster to build at once, and returns their definitions. */
export async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where tablename = any($1) and indexdef not like 'CREATE UNIQUE%'`,
    [indexed],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

/** Leaves the tables as they would be after a while: with indexes and bounds of buckets, vacuumed, with statistics, and on the disk. */
export async function settleTables(client: pg.Client, indexes: string[]): Promise<void> {
  for (const definition of indexes) await client.query(definition);
  await client.query(
    `with bounds as materialized (
      select workspace_id, bucket, min(left(message_id, 14)) as oldest, max(left(message_id, 14)) || '~' as newest
        from search_messages group by 1, 2)
    update search_buckets b set oldest = bounds.oldest, newest = bounds.newest from bounds
      where b.workspace_id = bounds.workspace_id and b.bucket = bounds.bucket`,
  );
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}

/** Asks the server to index some messages again. Returns the ids of those whose documents changed by that. */
export async function indexAgain(client: pg.Client, count: number): Promise<string[]> {
  await client.query(
    `create table bench_again as select workspace_id, message_id, words from search_messages tablesample system (1) limit ${count}`,
  );
  await client.query(
    'insert into search_pending (workspace_id, message_id) select workspace_id, message_id from bench_again',
  );
  for (const deadline = performance.now() + checkWaitMs; ; await sleep(200)) {
    const { rowCount } = await client.query('select from search_pending limit 1');
    if (rowCount === 0) break;
    if (performance.now() > deadline) throw new Error('The server does not index again.');
  }
  const { rows } = await client.query<{ message_id: string }>(
    'select message_id from bench_again a join search_messages m using (workspace_id, message_id) where a.words <> m.words',
  );
  await client.query('drop table bench_again');
  return rows.map(({ message_id }) => message_id);
}
