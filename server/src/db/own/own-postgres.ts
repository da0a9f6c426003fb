/*
 * The Postgres that a server without `DATABASE_URL` starts for itself, in `<data>/postgres`:
 *
 *   data/           the files of Postgres
 *   log/            its log, a file for each day of the week
 *   socket/         where it listens; nowhere else does it
 *   settings.conf   settings of the operator, if there is such a file
 *
 * It belongs to one server process and ends with it. `fsync` is on, so it survives a loss of power.
 */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { lockFolder, type OnNotice, prepareDataFolder } from '../data-folder.ts';
import { type Binaries, chooseRunner, findBinaries, type Runner } from './find-binaries.ts';
import { type Guarded, startGuarded } from './guard.ts';
import { createFiles, giveTo, openWay, requireFiles, writeSettings } from './own-files.ts';
import { lockProblem, noOtherUser, startProblem } from './own-problem.ts';

/** The time limit of each way of stopping, the gentlest first. */
const endings: [NodeJS.Signals, number][] = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 10_000],
];
const endLookMs = 50;

const readyPauseMs = 20;
/** The longest path of a socket, which the system limits to 107 bytes, less the name of the socket itself. */
const socketFolderBytesMax = 90;

/** The parameters for starting it. */
export interface OwnSettings {
  dataDir: string;
  /** The folder of other programs of Postgres. */
  postgresBin?: string | null;
}

/** A Postgres that runs, and how to connect to it. */
export interface OwnPostgres {
  connection: { host: string; port: number; user: string; database: string };
  version: string;
  /** Ends it in order, and gives the folder free. */
  close(): Promise<void>;
}

/**
 * Starts Postgres in a data folder, and creates its files if there are none.
 *
 * @throws StartError if another process has the folder, or that says why it does not start.
 */
export async function startOwn(
  { dataDir, postgresBin = null }: OwnSettings,
  onNotice: OnNotice = () => {},
): Promise<OwnPostgres> {
  prepareDataFolder(dataDir, onNotice);
  const unlock = await lockFolder(dataDir, 'database').catch((error: unknown) => {
    throw lockProblem(dataDir, error);
  });
  try {
    const runner = chooseRunner();
    if (runner === null) throw noOtherUser();
    openWay(dataDir, runner);
    const folder = join(dataDir, 'postgres');
    const binaries = await findBinaries(postgresBin, join(folder, 'programs'), runner);
    requireFiles(dataDir, onNotice);
    await endLeftOver(join(folder, 'data'));
    await createFiles(dataDir, binaries, runner);
    const socket = socketFolder(folder, runner);
    const server = await start(dataDir, binaries, runner, socket);
    return {
      connection: { host: socket, port: 5432, user: 'postgres', database: 'postgres' },
      version: binaries.version,
      close: async () => {
        await server.stop('INT');
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Starts Postgres and resolves once it accepts queries. After a crash, it first replays its log, however long that takes. */
async function start(
  dataDir: string,
  { folder: programs }: Binaries,
  runner: Runner,
  socket: string,
): Promise<Guarded> {
  const data = join(dataDir, 'postgres', 'data');
  writeSettings(data, socket, runner);
  const server = startGuarded(
    [join(programs, 'postgres'), '-D', data],
    join(dataDir, 'postgres', 'start.log'),
    runner,
  );
  for (;;) {
    if (server.hasEnded()) throw startProblem(dataDir, server.said());
    if (await takesQueries(socket)) return server;
    await sleep(readyPauseMs);
  }
}

async function takesQueries(socket: string): Promise<boolean> {
  const client = new pg.Client({ host: socket, port: 5432, user: 'postgres', database: 'postgres' });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Returns the folder of the socket: in the data folder, or in the system's temporary one if that path is too long for a socket. */
function socketFolder(folder: string, { account }: Runner): string {
  const own = join(folder, 'socket');
  if (Buffer.byteLength(own) <= socketFolderBytesMax) {
    rmSync(own, { recursive: true, force: true });
    mkdirSync(own, { mode: 0o700 });
    giveTo(account, own);
    return own;
  }
  const elsewhere = mkdtempSync(join(tmpdir(), 'own-postgres-'));
  giveTo(account, elsewhere);
  return elsewhere;
}

/**
 * Ends a Postgres that was left in a folder, as after a `kill -9` of its guard, and removes its mark. Whoever calls it has the folder
 * locked, so that no live server can have it. A mark whose process is another one by now would keep Postgres from starting.
 */
async function endLeftOver(data: string): Promise<void> {
  const mark = join(data, 'postmaster.pid');
  if (!existsSync(mark)) return;
  const pid = Number.parseInt(readFileSync(mark, 'utf8'), 10);
  for (const [signal, waitMs] of endings) {
    if (!isPostgresIn(pid, data)) break;
    process.kill(pid, signal);
    const until = performance.now() + waitMs;
    while (isPostgresIn(pid, data) && performance.now() < until) await sleep(endLookMs);
  }
  rmSync(mark, { force: true });
}

/**
 * Returns whether the process works in the folder, as Postgres does. Where the system does not say, only whether there is such a process.
 */
function isPostgresIn(pid: number, data: string): boolean {
  if (!Number.isInteger(pid) || pid < 2) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' && process.platform !== 'linux';
  }
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === data;
  } catch {
    return false;
  }
}
