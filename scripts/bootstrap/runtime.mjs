import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { isInRange } from '../../server/bin/engines.mjs';
import { readNote, rootFolder, writeNote } from './folders.mjs';
import { showProgress } from './progress.mjs';
import { runCommand } from './run-command.mjs';

// The npm packages `node` and `pnpm` ship the binaries, so npm alone can bring both. The version of pnpm is exact because
// the lockfile and the settings in pnpm-workspace.yaml are read by it.
const nodePackage = 'node@24';
const pnpmVersion = '12.21.0';
const noteName = 'runtime.json';
const serverManifest = JSON.parse(readFileSync(join(rootFolder, 'server', 'package.json'), 'utf8'));

/**
 * The binaries that run the project.
 * @typedef {{ node: string, pnpm: string }} Runtime
 */

/**
 * Says whether a Node of this version runs TypeScript by itself and satisfies the server, which measures the processor time of its threads.
 * @param {string} version such as `22.19.0`
 */
export function isRecentNode(version) {
  return isInRange(serverManifest.engines.node, version);
}

/**
 * Gives the Node and pnpm to use: this process's own Node when it is recent enough, otherwise the ones that npm brings.
 * What npm brought is remembered, because asking npm again takes a second.
 * @returns {Promise<Runtime>}
 */
export async function findRuntime() {
  const recent = isRecentNode(process.versions.node);
  const note = readNote(noteName);
  if (note !== null && typeof note.node === 'string' && typeof note.pnpm === 'string') {
    const remembered = { node: recent ? process.execPath : note.node, pnpm: note.pnpm };
    if (existsSync(remembered.pnpm) && (recent || answersVersion(remembered.node))) return remembered;
  }
  const runtime = recent ? await findPnpm() : await bringFromNpm([nodePackage, `pnpm@${pnpmVersion}`]);
  return runtime;
}

/**
 * Writes down where the binaries are, for the next run. Called after installing, because pnpm may empty node_modules.
 * @param {Runtime} runtime
 */
export function rememberRuntime(runtime) {
  const note = readNote(noteName);
  if (note?.node !== runtime.node || note?.pnpm !== runtime.pnpm) writeNote(noteName, runtime);
}

/**
 * Gives an environment in which `node` and `pnpm` are the ones of the runtime, for install scripts and tests.
 * @param {Runtime} runtime
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentOf(runtime) {
  const folders = [...new Set([dirname(runtime.node), dirname(runtime.pnpm)])];
  return { ...process.env, PATH: [...folders, process.env.PATH ?? ''].join(delimiter) };
}

/** @param {string} node */
function answersVersion(node) {
  if (!existsSync(node)) return false;
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  return status === 0 && isRecentNode(stdout.trim().replace(/^v/, ''));
}

/** @returns {Promise<Runtime>} */
async function findPnpm() {
  const onPath = findOnPath('pnpm', process.env.PATH ?? '');
  if (onPath !== null) {
    // A corepack shim would ask before it downloads; nobody may be there to answer.
    const env = { ...process.env, COREPACK_ENABLE_DOWNLOAD_PROMPT: '0' };
    const { status, stdout } = spawnSync(onPath, ['--version'], { encoding: 'utf8', cwd: rootFolder, env });
    const sameMajor = stdout?.split('.')[0] === pnpmVersion.split('.')[0];
    if (status === 0 && sameMajor) return { node: process.execPath, pnpm: onPath };
  }
  return { ...(await bringFromNpm([`pnpm@${pnpmVersion}`])), node: process.execPath };
}

/**
 * @param {string[]} packages
 * @returns {Promise<Runtime>}
 */
function bringFromNpm(packages) {
  const label = `Getting ${packages.join(' and ')} from npm (this is Node ${process.versions.node})`;
  return showProgress(label, async () => {
    const [npm, ...npmArgs] = npmCommand();
    const print = 'JSON.stringify([process.execPath, process.env.PATH])';
    const args = ['exec', '--yes', ...packages.map((name) => `--package=${name}`), '--', 'node', '-p', print];
    const { code, stdout, output } = await runCommand(npm, [...npmArgs, ...args], {
      cwd: rootFolder,
      env: process.env,
    });
    if (code !== 0)
      throw new Error(`${output}\nnpm could not bring ${packages.join(' and ')}. Is the network up?`);
    const [node, path] = JSON.parse(stdout.trim().split('\n').at(-1) ?? '[]');
    const pnpm = findOnPath('pnpm', String(path));
    if (pnpm === null) throw new Error(`${output}\nnpm exec ran, but brought no pnpm.`);
    return { node: String(node), pnpm };
  });
}

/** @returns {[string, ...string[]]} */
function npmCommand() {
  // Under `npm start` npm names its own script here, which saves a search; another package manager names another.
  const script = process.env.npm_execpath ?? '';
  if (basename(script) === 'npm-cli.js' && existsSync(script)) return [process.execPath, script];
  return ['npm'];
}

/**
 * @param {string} name
 * @param {string} path
 * @returns {string | null}
 */
function findOnPath(name, path) {
  for (const folder of path.split(delimiter)) {
    if (folder !== '' && existsSync(join(folder, name))) return join(folder, name);
  }
  return null;
}
