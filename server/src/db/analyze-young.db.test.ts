import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../test/harness/eventually.ts';
import { openFreshDatabase } from '../../test/harness/fresh-database.ts';
import { analyzeYoung } from './analyze-young.ts';
import type { Database } from './database.ts';

let database: Database;

beforeAll(async () => {
  database = await openFreshDatabase();
});

afterAll(() => database.close());

const addDecisions = (count: number) =>
  database.pool.query(
    `insert into smtp_decisions (at, session_id, remote_address, verdict, reply)
      select now(), n::text, '127.0.0.1', 'refused', '550' from generate_series(1, ${count}) n`,
  );
const isAnalyzed = async () =>
  (await analyzeYoung(database.pool)).some((name) => name.endsWith('smtp_decisions'));

test('a table is analyzed when it has grown to twice its size, and not again before', async () => {
  await addDecisions(50);
  await database.pool.query('select pg_stat_force_next_flush()');
  expect(await isAnalyzed()).toBe(false);
  await addDecisions(100);
  await eventually('the table to be analyzed', isAnalyzed);
  expect(await isAnalyzed()).toBe(false);
  const { rows } = await database.pool.query(
    `select reltuples::int as rows from pg_class where oid = 'smtp_decisions'::regclass`,
  );
  expect(rows).toEqual([{ rows: 150 }]);
});
