import { readFile } from 'node:fs/promises';
import { vector } from '@electric-sql/pglite-pgvector';
import { inject } from 'vitest';
import { type Database, type DatabaseSettings, openDatabase } from '../../../server/src/db/database.ts';
import { unpackTemplate } from './embedded-template.ts';
import { databasesOf } from './postgres.ts';

/** A database that no other test uses. Pass `settings` to `openDatabase`, and call `drop` once everything on it is closed. */
export interface FreshDatabase {
  settings: DatabaseSettings;
  drop(): Promise<void>;
}

/** Creates a migrated database of the project's kind as a copy of the run's template. Usually each test file has one. */
export function freshDatabase(): Promise<FreshDatabase> {
  return makeDatabase(true);
}

/** Creates a migrated embedded database that can have pgvector, which Postgres on a machine for tests usually lacks. */
export async function vectorDatabase(): Promise<FreshDatabase> {
  const fresh = await freshDatabase();
  if (!('dump' in fresh.settings)) throw new Error('Only the embedded database has pgvector.');
  return { ...fresh, settings: { ...fresh.settings, extensions: { vector } } };
}

/** Opens a database of `freshDatabase`, which is dropped when it is closed. */
export async function openFreshDatabase(): Promise<Database> {
  const fresh = await freshDatabase();
  const database = await openDatabase(fresh.settings);
  const close = async () => {
    await database.close();
    await fresh.drop();
  };
  return { ...database, close };
}

/** Creates a database without a schema, for tests of migrations. */
export function emptyDatabase(): Promise<FreshDatabase> {
  return makeDatabase(false);
}

/**
 * A Blob that returns its bytes as they are. Node's Blob puts them together piece by piece, which takes a third of the time to open a
 * database.
 */
class Dump extends Blob {
  readonly #bytes: ArrayBuffer;

  constructor(bytes: ArrayBuffer) {
    super();
    this.#bytes = bytes;
  }

  override arrayBuffer = async () => this.#bytes;
}

async function makeDatabase(migrated: boolean): Promise<FreshDatabase> {
  const shared = inject('testDatabases');
  if (shared.kind === 'embedded') {
    const dump = migrated ? new Dump((await readFile(shared.dumpFile)).buffer) : null;
    return { settings: { dump }, drop: async () => {} };
  }
  const databases = databasesOf(shared.url);
  const url = await databases.createDatabase(migrated ? shared.template : undefined);
  return { settings: { url }, drop: () => databases.dropDatabase(url) };
}

/**
 * Creates a migrated database for a server in another process. Returns it as the environment of the server: a `DATABASE_URL`, or nothing if
 * files of the embedded database were unpacked into `dataDir`.
 */
export async function freshServerDatabase(
  dataDir: string,
): Promise<{ env: Record<string, string>; drop(): Promise<void> }> {
  const shared = inject('testDatabases');
  if (shared.kind === 'embedded') {
    await unpackTemplate(shared.dumpFile, dataDir);
    return { env: {}, drop: async () => {} };
  }
  const databases = databasesOf(shared.url);
  const url = await databases.createDatabase(shared.template);
  return { env: { DATABASE_URL: url }, drop: () => databases.dropDatabase(url) };
}
