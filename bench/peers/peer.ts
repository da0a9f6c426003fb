import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

/** A mail server that others wrote, ready to take mail on 127.0.0.1. */
export interface Peer {
  version: string;
  port: number;
}

/** Where what the bench fetches of others is kept: never in the workspace, never needed by `npm test`. */
export const cacheFolder = async (name: string): Promise<string> => {
  const folder = fileURLToPath(new URL(`../../node_modules/.cache/bench/${name}/`, import.meta.url));
  await mkdir(folder, { recursive: true });
  return folder;
};

/** Runs a command to its end; throws with what it said when it fails. */
export const run = (command: string[], cwd: string): string => {
  const [file = '', ...args] = command;
  const { status, stdout, stderr, error } = spawnSync(file, args, { cwd, encoding: 'utf8' });
  if (status !== 0)
    throw new Error(
      `${command.slice(0, 2).join(' ')}: ${error?.message ?? stderr.trim().split('\n').at(-1)}`,
    );
  return stdout;
};

/** A port that nobody listens on; another program could take it before the peer does. */
export const freePort = async (): Promise<number> => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
};
