import { expect, test } from 'vitest';
import { emptyDatabase } from '../../test/harness/fresh-database.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

test('a schema of a newer version, and tables of another program, are refused with what to do', async () => {
  const { settings, drop } = await emptyDatabase();
  const database = await openDatabase(settings);
  try {
    await database.pool.query('create table inboxes (theirs int)');
    await expect(migrate(database)).rejects.toThrow(/tables of something else .*Cause: .*inboxes/);
    await database.pool.query('drop table inboxes');
    await migrate(database);
    await database.pool.query(`insert into mikro_orm_migrations (name) values ('9999-future')`);
    await expect(migrate(database)).rejects.toThrow(/by a newer version of this program \(9999-future\)/);
  } finally {
    await database.close();
    await drop();
  }
}, 60_000);

test('a database from before the first release is taken over as it is, and one that lacks a part is refused', async () => {
  const { settings, drop } = await emptyDatabase();
  const database = await openDatabase(settings);
  const pretend = (name: string) =>
    database.pool.query(`
      drop table applied_functions;
      alter table messages drop column terms;
      delete from mikro_orm_migrations;
      insert into mikro_orm_migrations (name) values ('0001-schema'), ('${name}')`);
  try {
    await migrate(database);
    await database.pool.query(`insert into event_followers (name, position) values ('kept', 7)`);
    await pretend('0025-inline-workspace-room');
    expect(await migrate(database)).toEqual(['functions']);
    expect(await migrate(database)).toEqual([]);
    const { rows } = await database.pool.query(
      `select position::int from event_followers where name = 'kept'`,
    );
    expect(rows).toEqual([{ position: 7 }]);
    await pretend('0024-join-waiting-threads');
    await expect(migrate(database)).rejects.toThrow(/early version from before the first release/);
  } finally {
    await database.close();
    await drop();
  }
}, 60_000);
