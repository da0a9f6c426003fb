import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from './connections.ts';
import type { Database } from './database.ts';
import { prepared } from './prepared.ts';

let database: Database;

beforeAll(async () => {
  database = await openFreshDatabase();
});

afterAll(() => database.close());

const add = prepared((db, { left, right }: { left: number; right: number }) =>
  sql<{ sum: number }>`select ${left}::int + ${right}::int as sum, 'a prepared sum'`.compile(db),
);
const addInDatabase = async (ctx: Pick<Database, 'db'>, left: number, right: number) =>
  (await add(ctx, { left, right }))[0]?.sum;

test('a statement is run with the values of each call, many at the same time too', async () => {
  const sums = await Promise.all(Array.from({ length: 30 }, (_, n) => addInDatabase(database, n, 100)));
  expect(sums).toEqual(Array.from({ length: 30 }, (_, n) => n + 100));
});

test('a connection prepares it once, and one that replaces it prepares it anew', async () => {
  const client = await database.pool.connect();
  client.release(true);
  await inTransaction(database, async (tx) => {
    for (let n = 0; n < 10; n++) expect(await addInDatabase(tx, n, n)).toBe(2 * n);
    const { rows } = await sql<{
      name: string;
    }>`select name from pg_prepared_statements where statement like '%a prepared sum%'
      and name like 's%' order by prepare_time desc`.execute(tx.db);
    expect(rows).toHaveLength(1);
  });
});

test('rows are the same each time that a connection answers, whatever their columns hold', async () => {
  const select = prepared((db, { n }: { n: number }) =>
    sql<object>`select ${n}::int as n, null::text as nothing, array['a', null] as list,
      '{"deep": [1]}'::jsonb as json, timestamptz '2026-01-02T03:04:05.678Z' as at`.compile(db),
  );
  const others = { nothing: null, list: ['a', null], json: { deep: [1] } };
  await inTransaction(database, async (tx) => {
    for (const n of [1, 2, 3])
      expect(await select(tx, { n })).toEqual([{ n, ...others, at: new Date('2026-01-02T03:04:05.678Z') }]);
  });
});

test('a statement that failed can be run again on its connection', async () => {
  const divide = prepared((db, { by }: { by: number }) =>
    sql<{ result: number }>`select 12 / ${by}::int as result`.compile(db),
  );
  await expect(divide(database, { by: 0 })).rejects.toThrow('division by zero');
  expect(await divide(database, { by: 4 })).toEqual([{ result: 3 }]);
});

test('no statement is compiled, on any connection of a pool', async () => {
  const shown = () => sql<{ jit: string }>`show jit`.execute(database.db);
  const answers = await Promise.all(Array.from({ length: 5 }, shown));
  expect(answers.map(({ rows }) => rows[0]?.jit)).toEqual(Array(5).fill('off'));
});
