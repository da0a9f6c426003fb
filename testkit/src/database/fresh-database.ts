import { inject } from 'vitest';
import { type Database, openDatabase } from '../../../server/src/db/database.ts';
import { manageDatabases } from './postgres.ts';

/** A database that no other test uses. Pass `settings` to `openDatabase`, and call `drop` once everything on it is closed. */
export interface FreshDatabase {
  settings: { url: string; poolMax?: number };
  drop(): Promise<void>;
}

/** Each connection compiles and plans anew, which costs processor time, and few tests need as many connections as a server has. */
const poolMax = 5;

/** Creates a migrated database as a copy of the run's template. Usually each test file has one. */
export function freshDatabase(): Promise<FreshDatabase> {
  return makeDatabase(true);
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

async function makeDatabase(migrated: boolean): Promise<FreshDatabase> {
  const shared = inject('testDatabases');
  const databases = manageDatabases(shared.url);
  const url = await databases.createDatabase(migrated ? shared.template : undefined);
  return { settings: { url, poolMax }, drop: () => databases.dropDatabase(url) };
}

/** Creates a migrated database for a server in another process. Returns it as the environment of the server. */
export async function freshServerDatabase(): Promise<{
  env: { DATABASE_URL: string };
  drop(): Promise<void>;
}> {
  const shared = inject('testDatabases');
  const databases = manageDatabases(shared.url);
  const url = await databases.createDatabase(shared.template);
  return { env: { DATABASE_URL: url }, drop: () => databases.dropDatabase(url) };
}
