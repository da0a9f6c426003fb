import { emptyDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { expect, test } from 'vitest';
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
});
