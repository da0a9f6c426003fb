import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEnv } from '../testkit/src/servers/start-env.ts';
import { isRecentNode } from './bootstrap/runtime.mjs';
import { allocatorEnv, nodeOptions } from './bootstrap/server-env.mjs';

// A workspace with nothing to download, in a folder whose name has a space.
const root = mkdtempSync(join(tmpdir(), 'postrider bootstrap '));
const bootstrap = join(root, 'scripts', 'bootstrap.mjs');

const program = `
const isServer = process.argv[2] === 'start';
if (isServer) {
  process.send?.({ loaded: true });
  let asked: string[] = [];
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => asked.push(signal));
  setInterval(() => asked.length > 0 && setTimeout(() => { console.log('asked', asked.join()); process.exit(7); }, 500), 50);
}
// From the loop, so that signals are heard by then.
setTimeout(() => {
  console.log('program', JSON.stringify(process.argv.slice(2)));
  if (!isServer) process.exit(3);
});
`;

const lockfile = `lockfileVersion: '9.0'
settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false
importers:
  .: {}
  console: {}
  contract: {}
  server:
    dependencies:
      '@postrider/contract':
        specifier: workspace:*
        version: link:../contract
`;

const write = (path: string, content: string | object) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
};

beforeAll(() => {
  cpSync(new URL('./bootstrap.mjs', import.meta.url), bootstrap);
  cpSync(new URL('./bootstrap/', import.meta.url), join(root, 'scripts', 'bootstrap'), { recursive: true });
  for (const path of ['server/src/lib/start/running-server.mjs', 'server/bin/engines.mjs'])
    cpSync(new URL(`../${path}`, import.meta.url), join(root, path), { recursive: true });
  write('package.json', { private: true, type: 'module' });
  write('pnpm-workspace.yaml', 'packages:\n  - console\n  - contract\n  - server\n');
  write('pnpm-lock.yaml', lockfile);
  write('console/package.json', { name: '@postrider/console', version: '0.0.0', type: 'module' });
  write('console/src/main.ts', '1');
  write('contract/package.json', { name: '@postrider/contract', version: '0.0.0', type: 'module' });
  const dependencies = { '@postrider/contract': 'workspace:*' };
  const { engines } = JSON.parse(readFileSync(new URL('../server/package.json', import.meta.url), 'utf8'));
  const server = { name: '@postrider/server', version: '0.0.0', type: 'module', engines, dependencies };
  write('server/package.json', server);
  write('server/src/main.ts', program);
  write('scripts/check.ts', program);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

// A folder for compiled code that is given from outside is used instead of the project's own.
const { NODE_COMPILE_CACHE: _, ...env } = process.env;
const run = (...args: string[]) =>
  spawnSync(process.execPath, [bootstrap, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });

/** Starts the program and waits until it runs. */
const start = async (): Promise<[ChildProcessByStdio<null, Readable, null>, Promise<string>]> => {
  const child = spawn(process.execPath, [bootstrap, 'start'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  await once(child.stdout, 'data');
  return [child, text(child.stdout)];
};

it('installs once, then hands arguments, output and exit code through', () => {
  const first = run('postrider', 'keys', 'list', '--json');
  expect(first.stderr).toContain('Installing what the server needs: done in');
  expect(first.stdout).toBe('program ["keys","list","--json"]\n');
  expect(first.status).toBe(3);
  const second = run('postrider', 'a b');
  expect(second).toMatchObject({ stderr: '', stdout: 'program ["a b"]\n', status: 3 });
});

it('hands the arguments of the check through', () => {
  const { stdout, status } = run('test', '--changed', 'HEAD~1');
  expect(stdout).toBe('program ["--changed","HEAD~1"]\n');
  expect(status).toBe(3);
});

it('has what was compiled kept for the next start', () => {
  run('postrider');
  expect(readdirSync(join(root, 'server', 'node_modules', '.cache', 'compile'))).toHaveLength(1);
});

it('installs again when a package changes, and explains a lockfile that does not fit', () => {
  const file = join(root, 'server', 'package.json');
  const before = readFileSync(file, 'utf8');
  write('server/package.json', before.replace('0.0.0', '0.0.1'));
  expect(run('postrider').stderr).toContain('Installing');
  write('server/package.json', before.replace('"dependencies":{', '"dependencies":{"zod":"4.6.7",'));
  const unfit = run('postrider');
  expect(unfit.status).toBe(1);
  expect(unfit.stderr).toContain('Run `pnpm install` and commit the lockfile.');
  write('server/package.json', before);
  expect(run('postrider').status).toBe(3);
});

/** Starts the program, ends it once it runs, and returns what the bootstrap told. */
const startAndStop = async (): Promise<string> => {
  const child = spawn(process.execPath, [bootstrap, 'start'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const told = text(child.stderr);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  return told;
};

it('builds the console before the server starts, and again only when a source has changed', async () => {
  run('postrider');
  const build =
    "mkdirSync('dist', { recursive: true }); writeFileSync('dist/index.html', process.env.NODE_ENV);";
  write(
    'console/node_modules/vite/bin/vite.js',
    `import { mkdirSync, writeFileSync } from 'node:fs'; ${build}`,
  );
  expect(await startAndStop()).toContain('Building the console: done in');
  expect(readFileSync(join(root, 'console', 'dist', 'index.html'), 'utf8')).toBe('production');
  expect(await startAndStop()).toBe('');
  write('console/src/main.ts', '2');
  expect(await startAndStop()).toContain('Building the console: done in');
  rmSync(join(root, 'console', 'dist'), { recursive: true });
  expect(await startAndStop()).toContain('Building the console: done in');
});

it('starts the server without a console that cannot be built, and says why', async () => {
  write('console/node_modules/vite/bin/vite.js', "console.error('main.ts is wrong'); process.exit(1);");
  write('console/src/main.ts', '3');
  const told = await startAndStop();
  expect(told).toContain('main.ts is wrong');
  expect(told).toContain('The server starts without it.');
});

it.each(['SIGINT', 'SIGTERM'] as const)('passes a %s on, once', async (signal) => {
  const [child, output] = await start();
  const exit = once(child, 'exit');
  child.kill(signal);
  expect(await output).toBe(`asked ${signal}\n`);
  expect(await exit).toEqual([7, null]);
});

it('passes a signal on once when the whole group gets it, as from a terminal', async () => {
  const [child, output] = await start();
  process.kill(-(child.pid ?? 0), 'SIGINT');
  expect(await output).toBe('asked SIGINT\n');
});

it('leaves no program behind when it is killed', async () => {
  const [child, output] = await start();
  child.kill('SIGKILL');
  // The output ends when the last process that holds it is gone.
  expect(await output).toBe('asked SIGTERM\n');
});

it('says how to use it when the verb is unknown', () => {
  expect(run('build')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('start|postrider|docs|test'),
  });
  expect(run()).toMatchObject({ status: 2 });
});

it('knows which Node runs TypeScript by itself and measures threads', () => {
  expect(['22.19.0', '22.20.1', '24.6.0', '25.0.0'].every(isRecentNode)).toBe(true);
  expect(['18.20.0', '20.20.2', '22.18.9', '23.11.0', '24.5.0', ''].some(isRecentNode)).toBe(false);
});

it('measures servers with the environment and the options that npm start gives them', () => {
  expect(startEnv).toEqual({ ...allocatorEnv, NODE_OPTIONS: nodeOptions.join(' ') });
});
