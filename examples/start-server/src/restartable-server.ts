import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url));

/** A server that can end and come back with the same data, key and ports. */
export interface RestartableServer {
  apiKey: string;
  baseURL: string;
  smtpPort: number;
  /** Ends it by SIGKILL; resolves once it is gone. */
  crash(): Promise<void>;
  /** Starts it again; resolves once it is ready. */
  start(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

/** Starts the server of this clone with an empty data folder and the given settings, ready to be ended and started again. */
export async function startRestartableServer(
  settings: Record<string, string> = {},
): Promise<RestartableServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'postrider-example-'));
  const apiKey = `pr_live_${randomBytes(22).toString('hex').slice(0, 43)}`;
  const env = {
    POSTRIDER_DATA_DIR: dataDir,
    POSTRIDER_HTTP_PORT: '0',
    POSTRIDER_SMTP_PORT: '0',
    POSTRIDER_BOOTSTRAP: JSON.stringify([{ name: 'example', key: apiKey }]),
    ...settings,
  };
  let { child, baseURL, smtpPort } = await startProcess(dataDir, env);
  // The next start takes the same ports, so that a program finds the server at the same address.
  const ports = { POSTRIDER_HTTP_PORT: new URL(baseURL).port, POSTRIDER_SMTP_PORT: String(smtpPort) };
  const crash = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    apiKey,
    baseURL,
    smtpPort,
    crash,
    async start() {
      ({ child, baseURL, smtpPort } = await startProcess(dataDir, { ...env, ...ports }));
    },
    async remove() {
      await crash();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

interface Started {
  child: ChildProcess;
  baseURL: string;
  smtpPort: number;
}

function startProcess(cwd: string, env: Record<string, string>): Promise<Started> {
  const child = spawn(process.execPath, [main, 'start'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  // It is read to its end, since a full pipe would stop the server.
  const lines = createInterface({ input: child.stdout });
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      if (!line.includes('"baseUrl"')) return;
      const { baseUrl, smtpPort } = JSON.parse(line);
      resolve({ child, baseURL: baseUrl, smtpPort });
    });
    child.once('exit', (code, signal) => reject(new Error(`The server ended with ${code ?? signal}.`)));
  });
}
