import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';
import { lockFolder } from './folder-lock.ts';

const vacuumIntervalMs = 15 * 60_000;

/** The database inside this process: a `pg` client class that reaches it, and what keeps and ends it. */
export interface EmbeddedDatabase {
  Client: new (options?: object) => pg.Client;
  close(): Promise<void>;
}

/** Where the embedded database lives, or the dump that a memory-only one starts from. */
export type EmbeddedLocation = { dataDir: string } | { dump: Blob | null };

/**
 * Opens PGlite for one process. It takes the folder's lock, because PGlite has none of its own and two processes would destroy
 * the data. PGlite has no autovacuum, so a timer does it. It never calls fsync: a crash of the process loses nothing, a loss
 * of power may.
 *
 * @throws Error when another process has the folder open.
 */
export const openEmbedded = async (location: EmbeddedLocation): Promise<EmbeddedDatabase> => {
  // To optimize its largest functions takes 0.5 GB, and each thread that compiles keeps some of that: so one does it, not four.
  setFlagsFromString('--wasm-num-compilation-tasks=1');
  let unlock = async () => {};
  let db: PGlite;
  if ('dataDir' in location) {
    await mkdir(location.dataDir, { recursive: true, mode: 0o700 });
    unlock = await lockFolder(location.dataDir, 'database');
    try {
      db = await openInFolder(location.dataDir);
    } catch (cause) {
      await unlock();
      throw new Error(`The embedded database in ${location.dataDir} does not open.`, { cause });
    }
  } else {
    db = await PGlite.create({ ...options, ...(location.dump ? { loadDataDir: location.dump } : {}) });
  }
  return {
    Client: clientOf(db),
    close: async () => {
      await db.close();
      await unlock();
    },
  };
};

const options = {
  extensions: { btree_gin },
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'],
};

/**
 * A database that was cut off while its files were being made never opens, and nothing is in it yet: a mark beside it says so,
 * and the next start makes it anew.
 */
const openInFolder = async (dataDir: string): Promise<PGlite> => {
  const folder = join(dataDir, 'database');
  const unfinished = join(dataDir, 'database.unfinished');
  if (existsSync(unfinished)) await rm(folder, { recursive: true, force: true });
  if (existsSync(join(folder, 'PG_VERSION'))) return PGlite.create({ ...options, dataDir: folder });
  await writeFile(unfinished, '', { mode: 0o600 });
  // PGlite would let everybody read it.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const db = await PGlite.create({ ...options, dataDir: folder });
  await rm(unfinished);
  return db;
};

/** A `pg.Client` whose every instance is a fresh connection to the one database in this process. */
const clientOf = (db: PGlite) =>
  class EmbeddedClient extends pg.Client {
    constructor(options?: object) {
      super({ ...options, ...createPgConfig(db) } as unknown as pg.ClientConfig);
    }
  };

/** Vacuums on a timer, between other work; answers what stops it. */
export const startVacuum = (pool: pg.Pool, onError: (error: unknown) => void): (() => void) => {
  const timer = setInterval(() => {
    pool.query('vacuum (analyze)').catch(onError);
  }, vacuumIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
};
