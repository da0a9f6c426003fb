import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import { openAdminSocket } from './admin-socket.ts';
import { callRunningServer } from './call-server.ts';

let server: TestServer;
let folder: string;
let closers: (() => Promise<void>)[];

beforeAll(async () => {
  server = await startTestServer({ roles: ['api'] });
});

afterAll(() => server.stop());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-admin-'));
  closers = [];
});

afterEach(async () => {
  for (const close of closers) await close();
  await rm(folder, { recursive: true });
});

const depsIn = (dataDir: string): Deps => {
  const { deps } = server.server;
  return { ...deps, config: { ...deps.config, dataDir } };
};

const open = async (dataDir = folder): Promise<() => Promise<void>> => {
  const close = await openAdminSocket(depsIn(dataDir));
  closers.push(close);
  return close;
};

const socketFile = () => join(folder, 'admin.sock');

/** Posts a body as it is. */
const post = (body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request({ socketPath: socketFile(), method: 'POST', agent: false }, (res) => resolve(text(res)))
      .once('error', reject)
      .end(body);
  });

describe('the socket of a running server', () => {
  test('runs commands for its owner only, and is gone with the server', async () => {
    const close = await open();
    expect((await stat(socketFile())).mode & 0o777).toBe(0o600);
    const answer = await callRunningServer(folder, 'workspaces list', {});
    expect(answer?.result).toContainEqual(expect.objectContaining({ name: server.name }));
    await close();
    expect(existsSync(socketFile())).toBe(false);
    expect(await callRunningServer(folder, 'workspaces list', {})).toBeNull();
  });

  test('answers what is no command with a sentence, and goes on', async () => {
    await open();
    for (const command of ['unknown', 'toString', '__proto__', ''])
      await expect(callRunningServer(folder, command, {})).rejects.toThrow(`There is no command ${command}.`);
    for (const body of ['', '{', 'null', '[]', '"keys list"', '{"command": 1}'])
      expect(JSON.parse(await post(body))).toEqual({ problem: expect.any(String) });
    expect(await callRunningServer(folder, 'keys list', {})).not.toBeNull();
  });

  test('takes the place of one that a crash left, and not of one that answers', async () => {
    await writeFile(socketFile(), '');
    await open();
    const second = await open();
    await second();
    expect(await callRunningServer(folder, 'keys list', {})).not.toBeNull();
  });

  test('is one though several processes start at the same moment, and stays when those that lost stop', async () => {
    const closes = await Promise.all([open(), open(), open(), open()]);
    const { ino } = await stat(socketFile());
    expect(await callRunningServer(folder, 'keys list', {})).not.toBeNull();
    for (const close of closes) {
      await close();
      const now = await stat(socketFile()).catch(() => null);
      if (now === null) break;
      expect([now.ino, await callRunningServer(folder, 'keys list', {})]).toEqual([ino, expect.anything()]);
    }
    for (const close of closes) await close();
    expect([existsSync(socketFile()), (await readdir(folder)).length]).toEqual([false, 0]);
  });

  test('does without a socket where the path is too long for one', async () => {
    const deep = join(folder, 'd'.repeat(90));
    await open(deep);
    expect(await callRunningServer(deep, 'keys list', {})).toBeNull();
  });

  test('says that something else answers there', async () => {
    const other = createServer((_req, res) => res.end('hello'));
    await new Promise<void>((resolve) => other.listen(socketFile(), resolve));
    await expect(callRunningServer(folder, 'keys list', {})).rejects.toThrow(/JSON/);
    await new Promise((resolve) => other.close(resolve));
  });
});
