import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type OwnPostgres, startOwn } from './own-postgres.ts';

let dataDir: string;
let started: OwnPostgres[];

beforeEach(async () => {
  const parent = await mkdtemp(join(tmpdir(), 'postrider-own-'));
  // Where another account has to run it, that passes through here.
  await chmod(parent, 0o711);
  dataDir = join(parent, 'a folder für Ada');
  started = [];
});
afterEach(async () => {
  for (const own of started) await own.close();
  await rm(join(dataDir, '..'), { recursive: true, force: true });
});

async function start(settings: { postgresBin?: string } = {}, notices: string[] = []): Promise<OwnPostgres> {
  const own = await startOwn({ dataDir, ...settings }, (notice) => notices.push(notice));
  started.push(own);
  return own;
}

async function stop(): Promise<void> {
  await started.pop()?.close();
}

async function ask(own: OwnPostgres, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(own.connection);
  client.on('error', () => {});
  await client.connect();
  return (await client.query(text).finally(() => client.end())).rows;
}

const readPid = async (): Promise<number> =>
  Number.parseInt(await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10);

/** One that has ended may still have a place in the table of processes, until somebody asks for its code. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Starts it in a process of its own, which says the ids of itself and of its guard. */
async function startElsewhere(): Promise<ChildProcess> {
  const program = `
    const { startOwn } = await import(${JSON.stringify(new URL('./own-postgres.ts', import.meta.url).href)});
    await startOwn({ dataDir: ${JSON.stringify(dataDir)} });
    console.log('started');
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('It did not start.')));
  await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  ended.catch(() => {});
  return child;
}

describe('a Postgres of its own', () => {
  test('writes through to the disk, listens at no port, folds letters of all scripts, and keeps its data', async () => {
    const own = await start();
    expect(await ask(own, 'show fsync')).toEqual([{ fsync: 'on' }]);
    expect(await ask(own, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
    expect(await ask(own, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(await ask(own, "select lower('ÄÉ') as lower, 'a' < 'B' as by_language")).toEqual([
      { lower: 'äé', by_language: false },
    ]);
    await ask(own, 'create table kept as select 1 as one');
    const pid = await readPid();
    await stop();
    expect(isRunning(pid)).toBe(false);
    expect(await ask(await start(), 'select one from kept')).toEqual([{ one: 1 }]);
  });

  test('takes settings of the operator, after its own', async () => {
    await start();
    await stop();
    await writeFile(join(dataDir, 'postgres', 'settings.conf'), 'shared_buffers = 32MB\n');
    expect(await ask(await start(), 'show shared_buffers')).toEqual([{ shared_buffers: '32MB' }]);
  });

  test('starts below a path that is too long for a socket', async () => {
    dataDir += 'x'.repeat(120);
    expect(await ask(await start(), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test.skipIf(process.getuid?.() !== 0)(
    'says for root that the account which runs it cannot come there, where namespaces are refused and the folder is closed',
    async () => {
      const refusing = join(dataDir, 'bin', 'unshare');
      await mkdir(join(dataDir, 'bin'), { recursive: true });
      await writeFile(refusing, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      vi.stubEnv('PATH', `${join(dataDir, 'bin')}:${process.env.PATH}`);
      await mkdir(join(dataDir, 'home'), { mode: 0o700 });
      const closed = join(dataDir, 'home', 'data');
      await expect(startOwn({ dataDir: closed })).rejects.toThrow(`may not enter ${closed}`);
      expect(existsSync(join(closed, 'postgres'))).toBe(false);
    },
  );

  test('is refused to a second server, which names the first', async () => {
    await start();
    await expect(startOwn({ dataDir })).rejects.toThrow(`${dataDir} is in use by process ${process.pid}`);
  });
});

describe('a Postgres whose server was killed', () => {
  test('ends, and has what was committed at the next start', async () => {
    const child = await startElsewhere();
    const pid = await readPid();
    const socket = join(dataDir, 'postgres', 'socket');
    const client = new pg.Client({ host: socket, user: 'postgres', database: 'postgres' });
    client.on('error', () => {});
    await client.connect();
    await client.query('create table safe as select 1 as one');
    child.kill('SIGKILL');
    await eventually('its end', async () => !isRunning(pid));
    expect(await ask(await start(), 'select one from safe')).toEqual([{ one: 1 }]);
  });

  test('is ended by the next start, if its guard was killed, too', async () => {
    const child = await startElsewhere();
    const pid = await readPid();
    const guard = Number(/\) \S+ (\d+)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8'))?.[1]);
    process.kill(guard, 'SIGKILL');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const own = await start();
    expect(isRunning(pid)).toBe(false);
    expect(await ask(own, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('starts although its process id belongs to another program by now', async () => {
    await start();
    await stop();
    await writeFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), `${process.pid}\n`);
    expect(await ask(await start(), 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('a data folder', () => {
  const data = () => join(dataDir, 'postgres', 'data');

  test('whose making was cut off is put aside, with a notice', async () => {
    await mkdir(data(), { recursive: true });
    await writeFile(join(data(), 'half'), '');
    await writeFile(join(dataDir, 'postgres', 'unfinished'), '');
    const notices: string[] = [];
    expect(await ask(await start({}, notices), 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(notices).toContainEqual(
      expect.stringMatching(/incomplete database was moved to .*data\.unfinished-\d+T\d+Z/),
    );
  });

  test.each([
    [
      'files of another major version',
      'postgres/data/PG_VERSION',
      '17',
      /has files of Postgres 17, and this program has Postgres 18/,
    ],
    [
      'files of something else',
      'postgres/data/photo.jpg',
      'x',
      /holds files \(photo\.jpg\) that are not those of a database/,
    ],
    [
      'what lies beside a database, without one',
      'secret',
      'x',
      /\(secret\), and its postgres folder is missing or empty/,
    ],
    ['the database of an unreleased version', 'database/PG_VERSION', '18', /from before the first release/],
  ])('with %s is refused, and nothing is changed', async (_what, file, content, expected) => {
    await mkdir(join(dataDir, file, '..'), { recursive: true });
    await writeFile(join(dataDir, file), content);
    await expect(startOwn({ dataDir })).rejects.toThrow(expected);
    expect(await readFile(join(dataDir, file), 'utf8')).toBe(content);
    expect(existsSync(join(data(), 'base'))).toBe(false);
  });

  test('is not touched if the programs that are configured are missing', async () => {
    await expect(startOwn({ dataDir, postgresBin: '/nowhere' })).rejects.toThrow(
      /\/nowhere \(POSTRIDER_POSTGRES_BIN\) has no Postgres programs that run here, and Postgres 18 is needed/,
    );
    expect(existsSync(data())).toBe(false);
  });
});
