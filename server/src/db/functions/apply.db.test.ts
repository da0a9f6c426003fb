import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../database.ts';
import { migrate } from '../migrate.ts';
import { applyFunctions, functionNames, functions, functionsVersion } from './apply.ts';

let database: Database;

beforeAll(async () => {
  database = await openFreshDatabase();
});
afterAll(() => database.close());

const rows = async (text: string) => (await database.pool.query(text)).rows;

test('functions are applied when their text changed, all or none, and not again', async () => {
  expect(await applyFunctions(database)).toBe(false);
  await database.pool.query(`update applied_functions set hash = 'of another version'`);
  await database.pool.query(
    `create or replace function subject_term(lexeme text) returns text language sql immutable return 'old'`,
  );
  expect(await migrate(database)).toEqual(['functions']);
  expect(await rows(`select subject_term('a') as term`)).toEqual([{ term: 'subject:a' }]);
  expect(await applyFunctions(database)).toBe(false);
});

test('a function that cannot be replaced leaves all of them as they were', async () => {
  await database.pool.query(`update applied_functions set hash = 'of another version'`);
  await database.pool.query('drop function record_attempts(jsonb)');
  await database.pool.query('create function record_attempts(p jsonb) returns int language sql return 1');
  await database.pool.query(
    `create or replace function subject_term(lexeme text) returns text language sql immutable return 'old'`,
  );
  await expect(applyFunctions(database)).rejects.toMatchObject({ code: '42P13' });
  expect(await rows(`select subject_term('a') as term`)).toEqual([{ term: 'old' }]);
  await database.pool.query('drop function record_attempts(jsonb)');
  expect(await applyFunctions(database)).toBe(true);
});

test('the database has the functions of the list and no others', async () => {
  const named = functions.flatMap((text) => /^create or replace function (\w+)/m.exec(text)?.[1] ?? []);
  const found = await rows(`
    select proname as name from pg_proc where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e') order by 1`);
  expect(found.map(({ name }) => name)).toEqual(named.sort());
});

test('functions of a newer version are left alone, and a start says why it refuses', async () => {
  await database.pool.query(
    `update applied_functions set version = ${functionsVersion + 1}, hash = 'of a newer version'`,
  );
  await expect(migrate(database)).rejects.toThrow(
    `by a newer version of this program (functions ${functionsVersion + 1})`,
  );
  await database.pool.query(`update applied_functions set version = ${functionsVersion}`);
  expect(await migrate(database)).toEqual(['functions']);
});

test('the same functions under an older version get the version of this program, and those under a newer one keep theirs', async () => {
  const version = async () => (await rows('select version from applied_functions'))[0].version;
  for (const [stored, expected] of [
    [functionsVersion - 1, functionsVersion],
    [functionsVersion + 1, functionsVersion + 1],
  ]) {
    await database.pool.query(`update applied_functions set version = ${stored}`);
    expect(await applyFunctions(database)).toBe(false);
    expect(await version()).toBe(expected);
  }
});

test('the text of each file runs alone on the tables', async () => {
  const client = await database.pool.connect();
  try {
    for (const [index, name] of functionNames.entries()) {
      await client.query('begin');
      await client.query(`do $$ declare f regprocedure; begin
        for f in select oid from pg_proc where pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
        loop execute format('drop function %s cascade', f); end loop; end $$`);
      // A trigger names its function.
      if (name.endsWith('-triggers'))
        for (const text of functions.filter((other) => /returns trigger/.test(other)))
          await client.query(text);
      await expect(client.query(functions[index]!), name).resolves.toBeDefined();
      await client.query('rollback');
    }
  } finally {
    client.release();
  }
});
