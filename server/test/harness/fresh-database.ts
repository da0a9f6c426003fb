import { readFile } from 'node:fs/promises';
import { inject } from 'vitest';
import { type Database, type DatabaseSettings, openDatabase } from '../../src/db/database.ts';
import { unpackTemplate } from './embedded-template.ts';
import { databasesOf } from './postgres.ts';

/** A database that no other test knows: pass `settings` to `openDatabase`; call `drop` when everything on it is closed. */
export interface FreshDatabase {
  settings: DatabaseSettings;
  drop(): Promise<void>;
}

/** Gives a migrated database of the project's kind, copied from the run's template: one for each test file is the usual. */
export const freshDatabase = (): Promise<FreshDatabase> => makeDatabase(true);

/** Opens a database as `freshDatabase` gives it, which is dropped when it is closed. */
export const openFreshDatabase = async (): Promise<Database> => {
  const fresh = await freshDatabase();
  const database = await openDatabase(fresh.settings);
  const close = async () => {
    await database.close();
    await fresh.drop();
  };
  return { ...database, close };
};

/** Gives a database without a schema, for tests of migrations. */
export const emptyDatabase = (): Promise<FreshDatabase> => makeDatabase(false);

/** Gives its bytes as they are: a Blob of Node puts them together piece by piece, a third of what it takes to open a database. */
class Dump extends Blob {
  readonly #bytes: ArrayBuffer;

  constructor(bytes: ArrayBuffer) {
    super();
    this.#bytes = bytes;
  }

  override arrayBuffer = async () => this.#bytes;
}

const makeDatabase = async (migrated: boolean): Promise<FreshDatabase> => {
  const shared = inject('testDatabases');
  if (shared.kind === 'embedded') {
    const dump = migrated ? new Dump((await readFile(shared.dumpFile)).buffer) : null;
    return { settings: { dump }, drop: async () => {} };
  }
  const databases = databasesOf(shared.url);
  const url = await databases.createDatabase(migrated ? shared.template : undefined);
  return { settings: { url }, drop: () => databases.dropDatabase(url) };
};

/**
 * Gives a migrated database for a server in a process of its own, as its environment: a `DATABASE_URL`, or files of the embedded
 * database unpacked into `dataDir`.
 */
export const freshServerDatabase = async (
  dataDir: string,
): Promise<{ env: Record<string, string>; drop(): Promise<void> }> => {
  const shared = inject('testDatabases');
  if (shared.kind === 'embedded') {
    await unpackTemplate(shared.dumpFile, dataDir);
    return { env: {}, drop: async () => {} };
  }
  const databases = databasesOf(shared.url);
  const url = await databases.createDatabase(shared.template);
  return { env: { DATABASE_URL: url }, drop: () => databases.dropDatabase(url) };
};
