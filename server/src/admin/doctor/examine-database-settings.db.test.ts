import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { examineDatabaseSettings, judgeConnections, judgeSafety, judgeUpkeep } from './examine-postgres.ts';
import { problem } from './finding.ts';

test('a Postgres that may lose what it confirmed is a problem, with the setting', async () => {
  const database = await openFreshDatabase();
  const examineWith = (value: string) =>
    database.db.transaction().execute(async (db) => {
      await sql`set local synchronous_commit = ${sql.raw(value)}`.execute(db);
      return (await examineDatabaseSettings({ ...database, db }, { isTrial: false })).map(
        ({ part, text }) => `${part}: ${text}`,
      );
    });
  const lossy = 'postgres: synchronous_commit is off, so a power failure can lose acknowledged mail.';
  expect(await examineWith('off')).toContain(lossy);
  const found = await examineWith('on');
  await database.close();
  expect(found.length).toBeGreaterThan(0);
  expect(found).not.toContain(lossy);
});

const safe = { version: 150_004, fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

test('each setting that keeps acknowledged mail has to be on, and the version 15 or newer', () => {
  expect(judgeSafety(safe, problem)).toEqual([]);
  expect(judgeSafety({ ...safe, synchronous_commit: 'remote_apply' }, problem)).toEqual([]);
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit'])
    expect(judgeSafety({ ...safe, [name]: 'off' }, problem)).toMatchObject([
      { state: 'problem', remedy: `Set ${name} = on in postgresql.conf.` },
    ]);
  expect(judgeSafety({ ...safe, version: 140_012 }, problem)).toMatchObject([
    { state: 'problem', text: 'Postgres 14 is too old.' },
  ]);
});

test('autovacuum that is off is a problem, and little memory a note', () => {
  expect(judgeUpkeep({ autovacuum: 'on', shared_buffers_mib: 128 })).toEqual([]);
  expect(judgeUpkeep({ autovacuum: 'off', shared_buffers_mib: 16 })).toMatchObject([
    { state: 'problem' },
    { state: 'note', text: 'shared_buffers is only 16 MB.' },
  ]);
});

test('processes that may not all get their connections are a problem, and nearly so a note', () => {
  expect(judgeConnections({ connections: 97 }, 7, 10)).toEqual([]);
  expect(judgeConnections({ connections: 97 }, 8, 10)).toMatchObject([{ state: 'note' }]);
  expect(judgeConnections({ connections: 97 }, 9, 10)).toMatchObject([
    { state: 'problem', text: expect.stringContaining('9 processes can use 99 connections') },
  ]);
});
