import { expect, it } from 'vitest';
import { type DatabaseSettings, openDatabase } from '../../../server/src/db/database.ts';
import { migrate } from '../../../server/src/db/migrate.ts';
import { emptyDatabase, freshDatabase, freshServerDatabase } from './fresh-database.ts';

const countWorkspaces = async (settings: DatabaseSettings): Promise<number> => {
  const database = await openDatabase(settings);
  try {
    const { rows } = await database.pool.query('select count(*)::int as count from workspaces');
    return (rows[0] as { count: number }).count;
  } finally {
    await database.close();
  }
};

it('gives databases that are migrated and apart from each other', async () => {
  const [first, second] = [await freshDatabase(), await freshDatabase()];
  const database = await openDatabase(first.settings);
  expect(await migrate(database)).toEqual([]);
  await database.pool.query('create table only_here ()');
  await database.close();
  expect(await countWorkspaces(second.settings)).toBe(0);
  const other = await openDatabase(second.settings);
  await expect(other.pool.query('select from only_here')).rejects.toThrow('does not exist');
  await other.close();
  await first.drop();
  await second.drop();
});

it('gives an empty database, on which every migration runs', async () => {
  const empty = await emptyDatabase();
  const database = await openDatabase(empty.settings);
  expect((await migrate(database)).length).toBeGreaterThan(0);
  await database.close();
  await empty.drop();
});

it('gives a server its own database by the environment', async () => {
  const { env, drop } = await freshServerDatabase();
  expect(await countWorkspaces({ url: env.DATABASE_URL })).toBe(0);
  await drop();
});
