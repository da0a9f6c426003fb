import { emptyDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { migrations } from './schema/list.ts';

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
});

test('a database from before the first release is taken over as it is, and one that lacks a part is refused', async () => {
  const { settings, drop } = await emptyDatabase();
  const database = await openDatabase(settings);
  const pretend = async (...last: string[]) => {
    await database.orm.migrator.down({ to: '0001-tables' });
    await database.pool.query(`
      drop table applied_functions;
      alter table messages drop column terms;
      delete from mikro_orm_migrations;
      insert into mikro_orm_migrations (name) select case n when 1 then '0001-schema' else to_char(n, 'FM0000') end
        from generate_series(1, 24) n union all select unnest(array[${last.map((name) => `'${name}'`)}]::text[])`);
  };
  try {
    await migrate(database);
    await database.pool.query(`insert into event_followers (name, position) values ('kept', 7)`);
    await pretend('0025-inline-workspace-room');
    expect(await migrate(database)).toEqual(migrations.map(({ name }) => name).slice(1));
    const { rows } = await database.pool.query(
      `select position::int from event_followers where name = 'kept'`,
    );
    expect(rows).toEqual([{ position: 7 }]);
    for (const last of [[], ['0025-inline-workspace-room', '0026-of-a-branch']]) {
      await pretend(...last);
      await expect(migrate(database)).rejects.toThrow(/early version from before the first release/);
      await database.pool.query(`
        create table applied_functions (one boolean, version int, hash text);
        alter table messages add column terms text[]`);
    }
  } finally {
    await database.close();
    await drop();
  }
});
