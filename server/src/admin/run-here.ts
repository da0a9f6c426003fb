import type { Config } from '../config.ts';
import { type Database, databaseSettings, openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { createLocalWakeups } from '../db/wakeups.ts';
import { systemClock } from '../lib/clock.ts';
import { runAdminCommand } from './commands.ts';

/** Runs a command on the database itself, which is free to be opened while no server runs. */
export const runHere = (config: Config, name: string, input: unknown): Promise<unknown> =>
  withDatabase(config, async (database) => {
    await migrate(database);
    const deps = { database, db: database.db, clock: systemClock, wakeups: createLocalWakeups() };
    return runAdminCommand(deps, name, input);
  });

/** Brings the schema up to date and answers the names of what ran. */
export const migrateHere = (config: Config): Promise<string[]> => withDatabase(config, migrate);

const withDatabase = async <T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> => {
  const database = await openDatabase(databaseSettings(config));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};
