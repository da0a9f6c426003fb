import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { type Extensions, PGlite } from '@electric-sql/pglite';
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

/** The major version of the Postgres in PGlite. No other one can open its files. */
export const embeddedMajor = '18';

/** How many lines of the output of Postgres are kept while it opens. */
const saidLinesMax = 50;

/** The database inside this process: a `pg` client class that connects to it, and a method that closes it. */
export interface EmbeddedDatabase {
  Client: new (options?: object) => pg.Client;
  close(): Promise<void>;
}

/** The folder of the embedded database, or the dump that a memory-only one starts from, which can have further extensions. */
export type EmbeddedLocation = { dataDir: string } | { dump: Blob | null; extensions?: Extensions };

/**
 * Opens PGlite for one process. It locks the folder, because PGlite has no lock of its own and two processes would destroy the data. PGlite
 * has no autovacuum, so a timer runs the vacuum. PGlite never calls fsync: a crash of the process loses nothing, but a loss of power may.
 *
 * @throws StartError if another process has the folder open, or if its contents cannot be opened. Existing files are never overwritten.
 */
export async function openEmbedded(
  location: EmbeddedLocation,
  onNotice: OnNotice = () => {},
): Promise<EmbeddedDatabase> {
  // To optimize its largest functions takes 0.5 GB, and each compiler thread keeps some of that, so there is one instead of four.
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
    db = await PGlite.create({
      ...options,
      extensions: { ...options.extensions, ...location.extensions },
      ...(location.dump ? { loadDataDir: location.dump } : {}),
    });
  }
  return {
    Client: clientOf(db),
    close: async () => {
      await db.close();
      await unlock();
    },
  };
}

const options = {
  extensions: { btree_gin },
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
};

/**
 * A database whose creation was interrupted never opens, and has no data yet. A marker file next to it shows this. The next start then
 * moves its files away and creates a new one.
 */
async function openInFolder(dataDir: string, said: string[], onNotice: OnNotice): Promise<PGlite> {
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
}

/** Returns what a server has created next to its database, which it creates first. */
function othersIn(dataDir: string): string[] {
  const files = join(dataDir, 'files');
  const hasFiles = existsSync(files) && readdirSync(files).length > 0;
  return [...(existsSync(join(dataDir, 'secret')) ? ['secret'] : []), ...(hasFiles ? ['files'] : [])];
}

async function makeInFolder(folder: string, unfinished: string, said: string[]): Promise<PGlite> {
  // PGlite would let everybody read the folder. It is created before the marker, which must not be left next to a link to a disk that is
  // missing.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(unfinished, '', { mode: 0o600 });
  const db = await create(folder, said);
  rmSync(unfinished);
  return db;
}

function create(dataDir: string, said: string[]): Promise<PGlite> {
  return PGlite.create({
    ...options,
    dataDir,
    onStderr: (text) => {
      if (said.length < saidLinesMax) said.push(text);
      return true;
    },
  });
}

/** Moves an unfinished database away instead of deleting it, because the marker may have been left next to a finished one. */
function putAside(folder: string, onNotice: OnNotice): void {
  if (!existsSync(folder)) return;
  if (readdirSync(folder).length === 0) return;
  const aside = `${folder}.unfinished-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  renameSync(folder, aside);
  onNotice(`a database whose making was cut off is kept as ${aside}, and can be removed`);
}

/** Returns a `pg.Client` class whose every instance is a new connection to the one database in this process. */
function clientOf(db: PGlite) {
  const shared = givingTurns(db);
  return class EmbeddedClient extends pg.Client {
    constructor(options?: object) {
      super({ ...options, ...createPgConfig(shared) } as unknown as pg.ClientConfig);
    }
  };
}

/** How long queries may follow each other before the event loop gets a turn. */
const turnMsMax = 10;

/**
 * Gives the event loop a turn between queries. The database runs in this thread and returns at once, so that queries that follow each other
 * would never let the loop turn: no request would be read and no connection accepted until the last query was done.
 */
function givingTurns(db: PGlite): PGlite {
  let turnedMs = 0;
  const execProtocolStream: PGlite['execProtocolStream'] = async (...message) => {
    if (performance.now() - turnedMs > turnMsMax) {
      await nextTurn();
      turnedMs = performance.now();
    }
    return db.execProtocolStream(...message);
  };
  return { waitReady: db.waitReady, execProtocolStream } as PGlite;
}

/** Vacuums on a timer, between other work. Returns a function that stops it. */
export function startVacuum(pool: pg.Pool, onError: (error: unknown) => void): () => void {
  const timer = setInterval(() => {
    pool.query('vacuum (analyze)').catch(onError);
  }, vacuumIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
