import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyzeYoung } from './analyze-young.ts';
import type { Database } from './database.ts';

let database: Database;

beforeAll(async () => {
  database = await openFreshDatabase();
  // The database's own analysis would leave nothing to do, now and then.
  await database.pool.query('alter table smtp_decisions set (autovacuum_enabled = false)');
});

afterAll(() => database.close());

/** Adds rows and has their count reported at once: the session that wrote them would else report it up to ten seconds later. */
const addDecisions = async (count: number) => {
  const client = await database.pool.connect();
  try {
    await client.query(
      `insert into smtp_decisions (at, session_id, remote_address, verdict, reply)
        select now(), n::text, '127.0.0.1', 'refused', '550' from generate_series(1, ${count}) n`,
    );
    await client.query('select pg_stat_force_next_flush()');
  } finally {
    client.release();
  }
};
const isAnalyzed = async () =>
  (await analyzeYoung(database.pool)).some((name) => name.endsWith('smtp_decisions'));

test('a table is analyzed when it has grown to twice its size, and not again before', async () => {
  await addDecisions(50);
  expect(await isAnalyzed()).toBe(false);
  await addDecisions(100);
  expect(await isAnalyzed()).toBe(true);
  expect(await isAnalyzed()).toBe(false);
  const { rows } = await database.pool.query(
    `select reltuples::int as rows from pg_class where oid = 'smtp_decisions'::regclass`,
  );
  expect(rows).toEqual([{ rows: 150 }]);
});
