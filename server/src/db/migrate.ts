import type { Database } from './database.ts';

/** Any number, the same in every process: whoever holds it migrates, and others wait. */
const migrationLock = 4_400_2525;

/**
 * Brings the schema up to date and answers the names of what ran. Each migration is one transaction, so that a crash leaves
 * either all of it or nothing. Processes that start at once take turns.
 */
export const migrate = async (database: Database): Promise<string[]> => {
  const run = async () => (await database.orm.migrator.up()).map((migration) => migration.name);
  if (database.kind === 'embedded') return run();
  const client = await database.pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    return await run();
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => {});
    client.release();
  }
};
