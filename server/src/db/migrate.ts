import { codeOf, StartError } from '../lib/start/start-error.ts';
import type { Database } from './database.ts';
import { applyFunctions } from './functions/apply.ts';
import { lockMigration, unlockMigration } from './locks.ts';
import { migrations } from './schema/list.ts';

/**
 * Brings tables and functions up to date and returns the names of what ran. Each migration is one transaction, and all functions are
 * another, so that a crash leaves either all of it or nothing. Processes that start at the same time take turns.
 *
 * @throws StartError if the database belongs to a newer version of this program, or to another program.
 */
export async function migrate(database: Database): Promise<string[]> {
  const run = async () => {
    await refuseNewer(database);
    const done = await database.orm.migrator.up().catch((error: unknown) => {
      throw explain(error);
    });
    const names = done.map((migration) => migration.name);
    return (await applyFunctions(database)) && names.length === 0 ? ['functions'] : names;
  };
  const client = await database.pool.connect();
  try {
    await client.query(lockMigration);
    return await run();
  } finally {
    await client.query(unlockMigration).catch(() => {});
    client.release();
  }
}

/** Throws if a newer version has changed the schema, because anything that this version writes could be wrong for that one. */
async function refuseNewer(database: Database): Promise<void> {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = (await database.orm.migrator.getExecuted())
    .map(({ name }) => name)
    .filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new StartError(
    `The database was brought up to date by a newer version of this program (${unknown.join(', ')}), which this one does not know. Start that version or a later one, or restore a copy of the database from before it.`,
  );
}

const alreadyThere = ['42P07', '42723', '42710'];

function explain(error: unknown): unknown {
  return alreadyThere.includes(codeOf(error))
    ? new StartError(
        `The database has tables of something else in it, so nothing was changed. Give this program a database of its own.`,
        error,
      )
    : error;
}
