import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, rm, statfs, symlink } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../lib/free-port.ts';
import { findPostgres, type PostgresBinaries } from './postgres-binaries.ts';
import { guardProcess, type PostgresProcess, type StopMode } from './postgres-process.ts';

const startWaitMs = 300_000;
const inMemory = '/dev/shm';
/** The databases of a run need a few hundred megabytes at once. The rest is left to other programs. */
const roomInMemoryMin = 4 * 1024 ** 3;

/** The options of a Postgres for a test. */
export interface PostgresOptions {
  /** Whether to write through to the disk, for tests of durability. The default is false, which is several times faster. */
  fsync?: boolean;
  connectionsMax?: number;
  /** More settings, as in postgresql.conf. */
  settings?: Record<string, string>;
  /** The parent folder of its own folder. */
  parent?: string;
}

/** A Postgres of the test run. It listens on loopback and on a Unix socket in its folder. */
export interface TestPostgres {
  kind: 'system' | 'npm';
  version: string;
  /** The maintenance database. */
  url: string;
  /** The same by the Unix socket, over which a query takes a third less time. */
  socketUrl: string;
  /** Creates a database, as a copy of `template` if given, and returns its URL. */
  createDatabase(template?: string): Promise<string>;
  dropDatabase(url: string): Promise<void>;
  /** Runs `migrate` once on a new database. Returns the name to pass to `createDatabase`. */
  templateFrom(migrate: (url: string) => Promise<void>): Promise<string>;
  /** Stops the server. With `keepData`, it can be started again by `start`, on the same port. Otherwise the data is removed. */
  stop(options?: { mode?: StopMode; keepData?: boolean }): Promise<void>;
  start(): Promise<void>;
}

/** Creates a Postgres cluster in a temporary folder and starts it. It ends with this process at the latest. */
export async function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres> {
  const folder = await mkdtemp(join(options.parent ?? tmpdir(), 'postrider-postgres-'));
  const memory = (await hasMemory(options)) ? join(inMemory, basename(folder)) : null;
  const remove = async () => {
    for (const path of [memory, folder]) if (path !== null) await rm(path, { recursive: true, force: true });
  };
  try {
    const binaries = await findPostgres(join(folder, 'binaries'));
    const { runner } = binaries;
    const { account } = runner;
    if (memory !== null) {
      await mkdir(memory, { mode: 0o700 });
      await symlink(memory, join(folder, 'data'));
    }
    for (const path of [memory, folder])
      if (account && path !== null) await chown(path, account.uid, account.gid);
    initialize(binaries, join(folder, 'data'));
    // If another process takes it before Postgres does, Postgres ends and its log says so.
    const port = await freePort();
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const socketUrl = `${url}?host=${encodeURIComponent(folder)}`;
    const command = [join(binaries.folder, 'postgres'), '-D', join(folder, 'data')];
    const flags = Object.entries(settingsFor(port, folder, options)).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const run = async (): Promise<PostgresProcess> => {
      const server = guardProcess(folder, [...command, ...flags], runner);
      try {
        await untilReady(url, server);
        return server;
      } catch (error) {
        // After a crash, the children of the old server keep its memory for a moment.
        if (!server.log().includes('shared memory block')) throw error;
        await sleep(500);
        return run();
      }
    };
    let server = await run();
    return {
      kind: binaries.kind,
      version: binaries.version,
      url,
      socketUrl,
      ...manageDatabases(url),
      stop: async ({ mode = 'fast', keepData = false } = {}) => {
        await server.stop(mode, keepData);
        if (!keepData) await remove();
      },
      start: async () => {
        server = await run();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Returns whether the data can be in memory: nothing has to be durable, and there is room. A disk takes long to create and delete
 * the 300 files of each database, a seventh of the time of the tests on Postgres.
 */
async function hasMemory({ fsync, parent }: PostgresOptions): Promise<boolean> {
  if (fsync || parent !== undefined) return false;
  const { bavail, bsize } = await statfs(inMemory).catch(() => ({ bavail: 0, bsize: 0 }));
  return Math.min(bavail * bsize, freemem()) >= roomInMemoryMin;
}

function settingsFor(port: number, folder: string, options: PostgresOptions): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: folder,
    max_connections: String(options.connectionsMax ?? 200),
    shared_buffers: '64MB',
    ...(options.fsync ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...options.settings,
  };
}

/** Creates the cluster, with UTF-8 and the letter case of all scripts, as servers in production have. */
function initialize({ folder, version, runner }: PostgresBinaries, data: string): void {
  const fixed = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--lc-messages=C', '--no-sync'];
  const hasBuiltin = Number.parseInt(version, 10) >= 17;
  const locale = hasBuiltin
    ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['--locale=C.UTF-8'];
  const [program = '', ...args] = runner.wrap([join(folder, 'initdb'), ...fixed, ...locale]);
  const result = spawnSync(program, args, { encoding: 'utf8', cwd: '/', ...runner.account });
  if (result.status !== 0) throw new Error(`initdb failed: ${result.stderr || String(result.error)}`);
}

async function untilReady(url: string, server: { ended(): boolean; log(): string }): Promise<void> {
  const deadline = performance.now() + startWaitMs;
  for (;;) {
    if (server.ended()) throw new Error(`Postgres ended at its start:\n${server.log()}`);
    try {
      return await withClient(url, async (client) => void (await client.query('select 1')));
    } catch (cause) {
      if (performance.now() > deadline)
        throw new Error(`Postgres did not start:\n${server.log()}`, { cause });
    }
    await sleep(50);
  }
}

/** Returns functions that create and drop databases of the server at `url`, for a process that did not start it. */
export function manageDatabases(
  url: string,
): Pick<TestPostgres, 'createDatabase' | 'dropDatabase' | 'templateFrom'> {
  const create = async (name: string, template?: string) => {
    const source = template ? ` template "${template}" strategy file_copy` : '';
    await withClient(url, (client) => client.query(`create database "${name}"${source}`));
    return changeDatabase(url, name);
  };
  return {
    createDatabase: (template) => create(`test_${randomBytes(6).toString('hex')}`, template),
    dropDatabase: async (target) => {
      const name = new URL(target).pathname.slice(1);
      await withClient(url, (client) => client.query(`drop database if exists "${name}" with (force)`));
    },
    templateFrom: async (migrate) => {
      const name = `template_${randomBytes(6).toString('hex')}`;
      await migrate(await create(name));
      return name;
    },
  };
}

function changeDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: name }).href;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 60_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
