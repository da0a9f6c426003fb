import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { batchedQuery } from './batched.ts';
import type { Database } from './database.ts';

let database: Database;
let statements: number[][];
const memory = new Map();

beforeAll(async () => {
  database = await openFreshDatabase();
});

afterAll(() => database.close());

const hundredOver = () => {
  statements = [];
  return batchedQuery(async ({ db }, items: number[]) => {
    statements.push(items);
    const { rows } = await sql<{
      result: number;
    }>`select 100 / item as result from unnest(${items}::int[]) with ordinality as asked(item, place) order by place`.execute(
      db,
    );
    return rows.map(({ result }) => result);
  });
};

test('what is asked at the same time is asked in one statement, and each gets its own answer', async () => {
  const ask = hundredOver();
  const items = Array.from({ length: 50 }, (_, n) => n + 1);
  expect(await Promise.all(items.map((item) => ask({ ...database, memory }, item)))).toEqual(
    items.map((item) => Math.trunc(100 / item)),
  );
  expect(statements).toEqual([items]);
});

test('one that fails for what is in it fails alone', async () => {
  const ask = hundredOver();
  const results = await Promise.allSettled([5, 10, 0, 20].map((item) => ask({ ...database, memory }, item)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(results[3]).toMatchObject({ value: 5 });
});
