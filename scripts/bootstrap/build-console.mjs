import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readNote, rootFolder, writeNote } from './folders.mjs';
import { hashSources } from './hash-sources.mjs';
import { showProgress } from './progress.mjs';
import { runCommand } from './run-command.mjs';

const noteName = 'console.json';
const consoleFolder = join(rootFolder, 'console');
const vite = join(consoleFolder, 'node_modules', 'vite', 'bin', 'vite.js');

/** Files and folders that decide what the pages are built from. */
const sources = [
  'console/src',
  'console/build',
  'console/index.html',
  'console/package.json',
  'console/vite.config.ts',
  'contract/src',
  'sdk/src',
  'pnpm-lock.yaml',
];

/**
 * Builds the pages of the console, unless those that are there come from the same sources. Rejects with the output of the build if it
 * fails.
 * @param {{ node: string, env?: NodeJS.ProcessEnv }} runtime
 * @returns {Promise<void>}
 */
export async function buildConsole({ node, env = process.env }) {
  if (!existsSync(join(consoleFolder, 'package.json'))) return;
  const hash = hashSources(sources);
  const isBuilt = existsSync(join(consoleFolder, 'dist', 'index.html'));
  if (isBuilt && readNote(noteName)?.hash === hash) return;
  await showProgress('Building the console', async () => {
    const { code, output } = await runCommand(node, [vite, 'build', '--logLevel', 'warn'], {
      cwd: consoleFolder,
      // Vite builds React for development if the environment says so.
      env: { ...env, NODE_ENV: 'production' },
    });
    if (code !== 0)
      throw new Error(`${output}\nThe console could not be built. The output of its build is above.`);
  });
  writeNote(noteName, { hash });
}
