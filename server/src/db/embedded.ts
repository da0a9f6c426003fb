import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';
import { StartError } from '../lib/start/start-error.ts';
import { type OnNotice, prepareDataFolder } from './data-folder.ts';
import {
  anotherVersion,
  databaseGone,
  embeddedProblem,
  foreignFiles,
  lockProblem,
} from './embedded-problem.ts';
import { lockFolder } from './folder-lock.ts';

const vacuumIntervalMs = 15 * 60_000;

/** Of the Postgres within PGlite; its files are no other one's. */
export const embeddedMajor = '18';

/** What Postgres says while it opens is kept so far. */
const saidLinesMax = 50;

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
 * @throws StartError when another process has the folder open, or when what is in it cannot be opened: nothing is ever made over
 *   files that are there.
 */
export const openEmbedded = async (
  location: EmbeddedLocation,
  onNotice: OnNotice = () => {},
): Promise<EmbeddedDatabase> => {
  // To optimize its largest functions takes 0.5 GB, and each thread that compiles keeps some of that: so one does it, not four.
  setFlagsFromString('--wasm-num-compilation-tasks=1');
  let unlock = async () => {};
  let db: PGlite;
  if ('dataDir' in location) {
    prepareDataFolder(location.dataDir, onNotice);
    const said: string[] = [];
    unlock = await lockFolder(location.dataDir, 'database').catch((error: unknown) => {
      throw lockProblem(location.dataDir, error);
    });
    try {
      db = await openInFolder(location.dataDir, said, onNotice);
    } catch (error) {
      await unlock();
      throw embeddedProblem(location.dataDir, error, said);
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
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
};

/**
 * A database that was cut off while its files were being made never opens, and nothing is in it yet: a mark beside it says so,
 * and the next start makes it anew, beside what is left of it.
 */
const openInFolder = async (dataDir: string, said: string[], onNotice: OnNotice): Promise<PGlite> => {
  const folder = join(dataDir, 'database');
  const unfinished = join(dataDir, 'database.unfinished');
  const wasCutOff = existsSync(unfinished);
  if (wasCutOff) putAside(folder, onNotice);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (names.length === 0) {
    const others = wasCutOff ? [] : othersIn(dataDir);
    if (others.length > 0) throw databaseGone(dataDir, others);
    return makeInFolder(folder, unfinished, said);
  }
  if (!names.includes('PG_VERSION')) throw foreignFiles(folder, names);
  const major = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (/^\d/.test(major) && major !== embeddedMajor)
    throw new StartError(
      `The embedded database in ${dataDir} does not open: ${anotherVersion} Cause: its files are those of Postgres ${major}, and this program has ${embeddedMajor}.`,
    );
  return create(folder, said);
};

/** What a server has made beside its database, which it makes first. */
const othersIn = (dataDir: string): string[] => {
  const files = join(dataDir, 'files');
  const hasFiles = existsSync(files) && readdirSync(files).length > 0;
  return [...(existsSync(join(dataDir, 'secret')) ? ['secret'] : []), ...(hasFiles ? ['files'] : [])];
};

const makeInFolder = async (folder: string, unfinished: string, said: string[]): Promise<PGlite> => {
  // PGlite would let everybody read it. It is made before the mark, which must not be left beside a link to a disk that is away.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(unfinished, '', { mode: 0o600 });
  const db = await create(folder, said);
  rmSync(unfinished);
  return db;
};

const create = (dataDir: string, said: string[]): Promise<PGlite> =>
  PGlite.create({
    ...options,
    dataDir,
    onStderr: (text) => {
      if (said.length < saidLinesMax) said.push(text);
      return true;
    },
  });

/** Moves an unfinished database away instead of deleting it, since the mark may have been left beside another, finished one. */
const putAside = (folder: string, onNotice: OnNotice): void => {
  if (!existsSync(folder)) return;
  if (readdirSync(folder).length === 0) return;
  const aside = `${folder}.unfinished-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  renameSync(folder, aside);
  onNotice(`a database whose making was cut off is kept as ${aside}, and can be removed`);
};

/** A `pg.Client` whose every instance is a fresh connection to the one database in this process. */
const clientOf = (db: PGlite) => {
  const shared = givingTurns(db);
  return class EmbeddedClient extends pg.Client {
    constructor(options?: object) {
      super({ ...options, ...createPgConfig(shared) } as unknown as pg.ClientConfig);
    }
  };
};

/** How long queries may follow each other without a turn of the event loop. */
const turnMsMax = 10;

/**
 * The database runs in this thread and answers at once, so queries that follow each other would never let the event loop turn:
 * no request would come in and no connection be taken until the last of them was done.
 */
const givingTurns = (db: PGlite): PGlite => {
  let turnedMs = 0;
  const execProtocolStream: PGlite['execProtocolStream'] = async (...message) => {
    if (performance.now() - turnedMs > turnMsMax) {
      await nextTurn();
      turnedMs = performance.now();
    }
    return db.execProtocolStream(...message);
  };
  return { waitReady: db.waitReady, execProtocolStream } as PGlite;
};

/** Vacuums on a timer, between other work; answers what stops it. */
export const startVacuum = (pool: pg.Pool, onError: (error: unknown) => void): (() => void) => {
  const timer = setInterval(() => {
    pool.query('vacuum (analyze)').catch(onError);
  }, vacuumIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
};
