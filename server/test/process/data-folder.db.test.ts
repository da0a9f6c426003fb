import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { makeServerHome, type ServerHome } from '../harness/server-process.ts';

// The folder is the embedded database's; what is said of Postgres is below.
const isPostgres = inject('testDatabases').kind === 'postgres';

let home: ServerHome;
let folder: string;

beforeEach(async () => {
  home = await makeServerHome(isPostgres ? {} : { POSTRIDER_SECRET: '' });
  folder = join(home.dataDir, 'database');
});

afterEach(() => home.remove());

/** Makes the folder of a server that has an inbox. */
const fill = async (): Promise<void> => {
  const server = await home.start();
  await server.client.inboxes.create({ local_part: 'kept' });
  await server.stop();
};

/** Runs what must fail, and gives the one paragraph that it says. */
const fail = async (args = ['start'], env: Record<string, string> = {}): Promise<string> => {
  const { code, output } = await home.run(args, env);
  expect([code, output]).toEqual([1, output]);
  const said = output
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('{'));
  expect([said.length, output]).toEqual([1, output]);
  return said[0] ?? '';
};

const inboxes = async (): Promise<number> => {
  const server = await home.start();
  const { length } = (await server.client.inboxes.list()).inboxes;
  await server.stop();
  return length;
};

describe.skipIf(isPostgres)('a start on a data folder', () => {
  test('makes nothing over a database without its PG_VERSION, and goes on once that is back', async () => {
    await fill();
    await rename(join(folder, 'PG_VERSION'), join(home.dataDir, 'away'));
    const before = await readdir(folder);
    expect(await fail()).toMatch(
      /database holds files \(.*\) that are those of a database, but PG_VERSION.*Restore/,
    );
    expect(await readdir(folder)).toEqual(before);
    await rename(join(home.dataDir, 'away'), join(folder, 'PG_VERSION'));
    expect(await inboxes()).toBe(1);
  }, 60_000);

  test('makes nothing over files of somebody else', async () => {
    await rm(folder, { recursive: true });
    await mkdir(folder);
    await writeFile(join(folder, 'photo.jpg'), 'x');
    expect(await fail()).toContain('holds files (photo.jpg) that are not those of a database');
    expect(await readdir(folder)).toEqual(['photo.jpg']);
  }, 60_000);

  test('keeps a database whose making was cut off beside the new one', async () => {
    await writeFile(`${folder}.unfinished`, '');
    const server = await home.start();
    expect(server.output()).toMatch(/cut off is kept as .*database\.unfinished-/);
    await server.stop();
    const kept = (await readdir(home.dataDir)).filter((name) => name.startsWith('database.unfinished'));
    expect(kept).toHaveLength(1);
    expect(await readFile(join(home.dataDir, kept[0] ?? '', 'PG_VERSION'), 'utf8')).toBe('18\n');
  }, 60_000);

  test('tells damaged files from those of another version of Postgres and from a newer schema', async () => {
    await fill();
    const copy = join(home.dataDir, 'copy');
    await cp(folder, copy, { recursive: true });
    const restored = async () => {
      await rm(folder, { recursive: true });
      await cp(copy, folder, { recursive: true });
    };
    await truncate(join(folder, 'global', 'pg_control'), 100);
    expect(await fail()).toMatch(
      /does not open: it is damaged\. Restore .* Cause: PANIC: could not read file/,
    );
    await restored();
    for (const name of await readdir(join(folder, 'pg_wal')))
      if (name.startsWith('0')) await rm(join(folder, 'pg_wal', name));
    expect(await fail()).toMatch(
      /it is damaged\. .* Cause: PANIC: could not locate a valid checkpoint record/,
    );
    await restored();
    await writeFile(join(folder, 'PG_VERSION'), '15\n');
    expect(await fail()).toMatch(/another version of Postgres .* Cause: its files are those of Postgres 15/);
    await writeFile(join(folder, 'PG_VERSION'), '');
    expect(await fail()).toContain('it is damaged');
    await restored();
    expect(await inboxes()).toBe(1);
  }, 120_000);

  test('refuses a database whose secret is missing, and makes another one only when told to', async () => {
    await fill();
    const secret = join(home.dataDir, 'secret');
    await rename(secret, `${secret}.away`);
    const said = await fail();
    expect(said).toContain(`${secret} is missing or empty`);
    expect(said).toContain('POSTRIDER_SECRET');
    expect(existsSync(secret)).toBe(false);
    const given = (await readFile(`${secret}.away`, 'utf8')).trim();
    const server = await home.start({ POSTRIDER_SECRET: given });
    await server.stop();
    expect(await fail(['start'], { POSTRIDER_SECRET: 'b'.repeat(64) })).toContain(
      'POSTRIDER_SECRET is not the one that this database was made with',
    );
    const child = home.spawn(['start', '--new-secret']);
    const printed: string[] = [];
    child.stdout?.on('data', (part) => printed.push(String(part)));
    await expect.poll(() => printed.join(''), { timeout: 60_000 }).toContain('"baseUrl"');
    expect(existsSync(secret)).toBe(true);
    await new Promise((resolve) => child.once('exit', resolve).kill('SIGTERM'));
    await rename(`${secret}.away`, secret);
    expect(await fail()).toContain(`The secret in ${secret} is not the one`);
  }, 180_000);

  test('keeps what others could read to its owner, and says so', async () => {
    await fill();
    const files = join(home.dataDir, 'files');
    await mkdir(files, { recursive: true });
    const secret = join(home.dataDir, 'secret');
    const modes = { [home.dataDir]: 0o755, [folder]: 0o750, [files]: 0o755, [secret]: 0o644 };
    for (const [path, mode] of Object.entries(modes)) await chmod(path, mode);
    const server = await home.start();
    for (const path of Object.keys(modes)) {
      expect([path, (await stat(path)).mode & 0o077]).toEqual([path, 0]);
      expect(server.output()).toContain(`${path} could be read by others`);
    }
    await server.stop();
    expect((await home.start()).output()).not.toContain('read by others');
  }, 90_000);

  test('says that the folder is a file, or cannot be made', async () => {
    const file = join(home.dataDir, 'file');
    await writeFile(file, '');
    expect(await fail(['start'], { POSTRIDER_DATA_DIR: file })).toMatch(/POSTRIDER_DATA_DIR\) is a file/);
    const proc = await fail(['start'], { POSTRIDER_DATA_DIR: '/proc/postrider/data' });
    expect(proc).toMatch(/^Error: ENOENT.*POSTRIDER_DATA_DIR\) cannot be made by this user/);
  }, 60_000);

  test('is the only way to make a database: verbs say that the folder is new or empty', async () => {
    const made = join(home.dataDir, 'other');
    for (const verb of [
      ['keys', 'create'],
      ['keys', 'list'],
      ['workspaces', 'create', 'x'],
    ]) {
      const said = await fail(verb, { POSTRIDER_DATA_DIR: made });
      expect(said).toMatch(/other does not exist\. Set POSTRIDER_DATA_DIR/);
    }
    expect(existsSync(made)).toBe(false);
    await rm(folder, { recursive: true });
    expect(await fail(['keys', 'list'])).toContain('has no database in it');
    expect(await fail(['keys', 'list'], { POSTRIDER_DATA_DIR: '/proc/x' })).toContain('does not exist');
  }, 60_000);
});

test('a port that is taken is named with its setting', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const port = String((other.address() as { port: number }).port);
  for (const name of ['POSTRIDER_HTTP_PORT', 'POSTRIDER_SMTP_PORT'])
    expect(await fail(['start'], { [name]: port })).toMatch(
      new RegExp(`listens at 127.0.0.1:${port} already.*${name}.*EADDRINUSE`),
    );
  other.close();
}, 60_000);

test('a database that cannot be reached is named without its password', async () => {
  const url = 'postgres://ada:hunter2@127.0.0.1:1/mail';
  const said = await fail(['start'], { DATABASE_URL: url, POSTRIDER_SECRET: 'a'.repeat(64) });
  expect(said).toMatch(
    /^Error: Postgres at postgres:\/\/ada@127\.0\.0\.1:1\/mail \(DATABASE_URL\) cannot be reached\..*ECONNREFUSED/,
  );
  expect(said).not.toContain('hunter2');
}, 60_000);

describe.runIf(isPostgres)('a start on Postgres', () => {
  test('refuses another secret than the database was made with', async () => {
    await fill();
    expect(await fail(['start'], { POSTRIDER_SECRET: 'b'.repeat(64) })).toContain(
      'POSTRIDER_SECRET is not the one that this database was made with',
    );
    expect(await inboxes()).toBe(1);
  }, 60_000);
});
