import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNote, rootFolder, writeNote } from './folders.mjs';
import { showProgress } from './progress.mjs';
import { runCommand } from './run-command.mjs';
import { environmentOf, rememberRuntime } from './runtime.mjs';

const noteName = 'installed.json';

/**
 * `server`: the server and what it needs to run. `everything`: all packages with their development dependencies.
 * @typedef {'server' | 'everything'} Level
 */

/**
 * Installs what a verb needs, unless it is there already. An install of everything is never cut down to the server's.
 * @param {Level} needed
 * @param {import('./runtime.mjs').Runtime} runtime
 * @returns {Promise<void>}
 */
export async function installFor(needed, runtime) {
  const present = presentLevel();
  const level = present === 'everything' ? 'everything' : needed;
  const hash = hashInputs();
  const note = readNote(noteName);
  const enough = (/** @type {unknown} */ found) => found === level || found === 'everything';
  const upToDate = note?.hash === hash && enough(note.level) && enough(present);
  if (!upToDate) {
    await install(level, runtime);
    writeNote(noteName, { hash, level });
  }
  rememberRuntime(runtime);
}

/**
 * Reads from pnpm's own record what is installed, so that a `pnpm install` by hand counts too.
 * @returns {Level | null}
 */
function presentLevel() {
  if (!existsSync(join(rootFolder, 'server', 'node_modules'))) return null;
  try {
    const record = readFileSync(join(rootFolder, 'node_modules', '.modules.yaml'), 'utf8');
    return /"?devDependencies"?: *true/.test(record) ? 'everything' : 'server';
  } catch {
    return null;
  }
}

/** Hashes every file that decides what gets installed, and the platform, for folders shared between machines. */
function hashInputs() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests()]) {
    hash.update(`${file}\n`).update(readFileSync(join(rootFolder, file)));
  }
  return hash.digest('hex');
}

/** @returns {string[]} the package.json of the workspace and of each package in it */
function manifests() {
  const workspace = readFileSync(join(rootFolder, 'pnpm-workspace.yaml'), 'utf8');
  const list = /^packages:\n((?: +- .*\n)+)/m.exec(workspace)?.[1] ?? '';
  const patterns = list.split('\n').map((line) =>
    line
      .replace(/^ *- */, '')
      .replaceAll(/['"]/g, '')
      .trim(),
  );
  const folders = patterns.filter(Boolean).flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    if (!existsSync(join(rootFolder, parent))) return [];
    return readdirSync(join(rootFolder, parent)).map((name) => `${parent}/${name}`);
  });
  const files = ['.', ...folders].map((folder) => `${folder}/package.json`);
  return files.filter((file) => existsSync(join(rootFolder, file))).sort();
}

/**
 * @param {Level} level
 * @param {import('./runtime.mjs').Runtime} runtime
 */
async function install(level, runtime) {
  // The root has the client, so that a program in the clone can use the server that was started there.
  // The console is built from source, by what it depends on.
  const packages = ['@postrider/server...', '@postrider/console...', 'postrider-workspace...'];
  const filters = [...packages.flatMap((name) => ['--filter', name]), '--prod'];
  const only = level === 'server' ? filters : [];
  // The lockfile pins every package by its hash, so the minimum release age was settled when the lockfile was written. Asking
  // the registry for the age of each entry again was seen to make a first install wait for over a minute.
  const settings = [
    '--config.minimumReleaseAge=0',
    '--config.confirmModulesPurge=false',
    '--reporter=append-only',
  ];
  // With NODE_ENV=production pnpm would leave out the development dependencies that the tests need.
  const env = { ...environmentOf(runtime), CI: 'true', NODE_ENV: undefined };
  const label = level === 'server' ? 'Installing what the server needs' : 'Installing all packages';
  await showProgress(label, async (report) => {
    const { code, output } = await runCommand(
      runtime.pnpm,
      ['install', '--frozen-lockfile', ...only, ...settings],
      {
        cwd: rootFolder,
        env,
        onLine: (line) => {
          const progress = /resolved (\d+), .*added (\d+)/.exec(line);
          if (progress) report(`${progress[2]} of ${progress[1]} packages`);
        },
      },
    );
    if (code !== 0) throw new Error(`${output}\n${adviceFor(output, code)}`);
  });
}

/**
 * @param {string} output
 * @param {number} code
 */
function adviceFor(output, code) {
  if (/OUTDATED_LOCKFILE|NO_IMPORTER/.test(output)) {
    return 'pnpm-lock.yaml does not fit the package.json files. Run `pnpm install` and commit the lockfile.';
  }
  if (/ENOSPC|no space left/i.test(output)) return 'Installing failed: the disk is full.';
  return `Installing failed: pnpm ended with code ${code}. Its output is above. Check the network and run it again.`;
}
