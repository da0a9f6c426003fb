import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** A server that runs in a process of its own. */
export interface ExampleServer {
  /** The key of its only workspace. */
  apiKey: string;
  /** Where its API is, with the version. */
  baseURL: string;
  /** Where it takes mail, on 127.0.0.1. */
  smtpPort: number;
  /** Ends the server and removes its data. Rejects when it did not end in an orderly way. */
  stop(): Promise<void>;
}

const entry = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url));

/** Starts a server with an empty data folder and the given settings; rejects with what it said when it does not come up. */
export async function startServer(settings: Record<string, string> = {}): Promise<ExampleServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'postrider-example-'));
  const apiKey = `pr_live_${randomBytes(22).toString('hex').slice(0, 43)}`;
  const child = spawn(process.execPath, [entry, 'start'], {
    // Started elsewhere, it reads no `.env` of the project, and no setting of the caller's shell.
    cwd: dataDir,
    env: {
      POSTRIDER_DATA_DIR: dataDir,
      POSTRIDER_HTTP_PORT: '0',
      POSTRIDER_SMTP_PORT: '0',
      POSTRIDER_BOOTSTRAP: JSON.stringify([{ name: 'example', key: apiKey }]),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    await end(child);
    await rm(dataDir, { recursive: true, force: true });
    if (child.exitCode !== 0) throw new Error(`The server ended with ${child.exitCode ?? child.signalCode}.`);
  };
  try {
    return { apiKey, ...(await untilReady(child.stdout, child.stderr)), stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

/** Reads the log until the line that says where the server listens. */
async function untilReady(
  stdout: Readable,
  stderr: Readable,
): Promise<{ baseURL: string; smtpPort: number }> {
  const said: string[] = [];
  createInterface(stderr).on('line', (line) => said.push(line));
  const lines = createInterface(stdout);
  try {
    for await (const line of lines) {
      said.push(line);
      if (!line.includes('"baseUrl"')) continue;
      const { baseUrl, smtpPort } = JSON.parse(line);
      return { baseURL: baseUrl, smtpPort };
    }
  } finally {
    // Nobody reads on, and a full pipe would stop the server.
    stdout.resume();
  }
  throw new Error(`The server did not start:\n${said.join('\n')}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
