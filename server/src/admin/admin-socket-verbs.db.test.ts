import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { openAdminSocket } from './admin-socket.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const main = join(root, 'server', 'src', 'main.ts');
const bootstrap = join(root, 'scripts', 'bootstrap.mjs');
const quick = join(root, 'server', 'src', 'lib', 'start', 'running-server.mjs');

let server: TestServer;
let folder: string;
let close: () => Promise<void>;

beforeAll(async () => {
  server = await startTestServer({ roles: ['api'] });
  folder = await mkdtemp(join(tmpdir(), 'postrider-verbs-'));
  const { deps } = server.server;
  close = await openAdminSocket({ ...deps, config: { ...deps.config, dataDir: folder } });
});

afterAll(async () => {
  await close();
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Runs a program of Node, and returns what it printed, its exit code, and the files of ours that it loaded. */
const run = async (program: string, args: string[], env: Record<string, string> = {}) => {
  const coverage = await mkdtemp(join(folder, 'coverage-'));
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, POSTRIDER_DATA_DIR: folder, NODE_V8_COVERAGE: coverage, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, err, code: code as number, loaded: await readLoaded(coverage) };
};

/** Returns the files that all processes of a run loaded. */
const readLoaded = async (coverage: string): Promise<string[]> => {
  const reports = await Promise.all(
    (await readdir(coverage)).map((name) => readFile(join(coverage, name), 'utf8')),
  );
  const urls = reports.flatMap((report) =>
    (JSON.parse(report) as { result: { url: string }[] }).result.map(({ url }) => url),
  );
  return urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
};

describe('a verb beside a running server', () => {
  test('loads nothing but what asks the server, in one process, so that a pause costs no processor time', async () => {
    const pause = ['pause', '--workspace', server.name, '--reason', 'it answers itself'];
    const installed = await run(main, pause);
    expect(JSON.parse(installed.out)).toEqual({ paused: true, under_way: 0 });
    expect(installed).toMatchObject({ err: '', code: 0 });
    expect(installed.loaded.sort()).toEqual([quick, main].sort());
    const inClone = await run(bootstrap, ['postrider', 'resume', '--workspace', server.name]);
    expect(JSON.parse(inClone.out)).toEqual({ resumed: true });
    expect(inClone).toMatchObject({ err: '', code: 0 });
    expect(inClone.loaded.sort()).toEqual([bootstrap, quick].sort());
  });

  test('says what is wrong in the words and with the exit code of one that runs without a server', async () => {
    const known = await run(main, ['keys', 'revoke', 'key_unknown']);
    expect(known).toMatchObject({
      out: '',
      err: 'Error: There is no key key_unknown. "keys list" shows them.\n',
      code: 1,
    });
    const nobody = { POSTRIDER_DATA_DIR: join(folder, 'nobody') };
    for (const wrong of [['pause', '--nope'], ['keys'], ['keys', 'update'], ['nope'], ['pause', '--help']]) {
      const asked = await run(main, wrong);
      const alone = await run(main, wrong, nobody);
      expect([wrong, asked.out, asked.err, asked.code]).toEqual([wrong, alone.out, alone.err, alone.code]);
    }
  }, 600_000);

  test('streams an export and says at the end which hash to note', async () => {
    const { out, err, code } = await run(main, ['audit', 'export', '--workspace', server.name]);
    expect([code, err]).toEqual([0, expect.stringMatching(/^Entry \d+, the last one, has the hash \w+\n$/)]);
    const actions = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { action: string }).action);
    expect(actions).toContain('sending.workspace_paused');
  });

  test('finds the data folder where the server does: in the environment, in .env, or by default', async () => {
    const own = await mkdtemp(join(tmpdir(), 'postrider-verbs-'));
    await writeFile(join(own, '.env'), `POSTRIDER_DATA_DIR=${folder}\n`);
    const child = spawn(process.execPath, [main, 'pauses'], { cwd: own, env: {} });
    expect(JSON.parse(await text(child.stdout))).toEqual([]);
    await rm(own, { recursive: true });
    expect(readConfig({}).dataDir).toBe(join(process.cwd(), 'data'));
  });
});
