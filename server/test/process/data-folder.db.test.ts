import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { makeServerHome, type ServerHome } from '@postrider/testkit/servers/server-process.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let home: ServerHome;
let folder: string;

beforeEach(async () => {
  home = await makeServerHome({ POSTRIDER_SECRET: '' }, { database: {} });
  folder = join(home.dataDir, 'postgres', 'data');
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

describe('a start on a data folder', () => {
  test('that it cannot use says why in one paragraph, and changes nothing', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'photo.jpg'), 'x');
    expect(await fail()).toContain('holds files (photo.jpg) that are not those of a database');
    expect(await readdir(folder)).toEqual(['photo.jpg']);
  });

  test('keeps it to its owner, refuses another secret, and takes a new one when told to', async () => {
    await fill();
    await chmod(home.dataDir, 0o755);
    const secret = join(home.dataDir, 'secret');
    await rm(secret);
    expect(await fail()).toContain(`${secret} is missing or empty`);
    const child = home.spawn(['start', '--new-secret']);
    const printed: string[] = [];
    child.stdout?.on('data', (part) => printed.push(String(part)));
    await expect.poll(() => printed.join('')).toContain('"baseUrl"');
    expect(existsSync(secret)).toBe(true);
    await new Promise((resolve) => child.once('exit', resolve).kill('SIGTERM'));
    // An account that runs the database for root passes through, and sees nothing.
    expect((await stat(home.dataDir)).mode & 0o066).toBe(0);
    const server = await home.start();
    expect((await server.client.inboxes.list()).inboxes).toHaveLength(1);
  });

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
    expect(await fail(['keys', 'list'])).toContain('contains no database');
    expect(await fail(['keys', 'list'], { POSTRIDER_DATA_DIR: '/proc/x' })).toContain('does not exist');
  });
});

test('a port that is taken is named with its setting', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const port = String((other.address() as { port: number }).port);
  for (const name of ['POSTRIDER_HTTP_PORT', 'POSTRIDER_SMTP_PORT'])
    expect(await fail(['start'], { [name]: port })).toMatch(
      new RegExp(`already listens at 127.0.0.1:${port}.*${name}.*EADDRINUSE`),
    );
  other.close();
});

test('a database that cannot be reached is named without its password', async () => {
  const url = 'postgres://ada:hunter2@127.0.0.1:1/mail';
  const said = await fail(['start'], { DATABASE_URL: url, POSTRIDER_SECRET: 'a'.repeat(64) });
  expect(said).toMatch(
    /^Error: Postgres at postgres:\/\/ada@127\.0\.0\.1:1\/mail \(DATABASE_URL\) cannot be reached\..*ECONNREFUSED/,
  );
  expect(said).not.toContain('hunter2');
});
