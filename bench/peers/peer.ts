import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** A mail server that others wrote, ready to take mail on 127.0.0.1. */
export interface Peer {
  version: string;
  port: number;
}

/**
 * Creates a folder for software of others that the bench downloads. No package of the workspace uses it, and `npm test` does not need it.
 */
export async function cacheFolder(name: string): Promise<string> {
  const folder = fileURLToPath(new URL(`../../node_modules/.cache/bench/${name}/`, import.meta.url));
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Runs a command to its end and returns its output. Throws with the last line of its error output if it fails. */
export function run(command: string[], cwd: string): string {
  const [file = '', ...args] = command;
  const { status, stdout, stderr, error } = spawnSync(file, args, { cwd, encoding: 'utf8' });
  if (status !== 0)
    throw new Error(
      `${command.slice(0, 2).join(' ')}: ${error?.message ?? stderr.trim().split('\n').at(-1)}`,
    );
  return stdout;
}
