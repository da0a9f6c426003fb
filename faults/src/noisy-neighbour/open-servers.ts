import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { startEnv } from '@postrider/testkit/servers/start-env.ts';
import type { Target } from './target.ts';

/** Servers of one home. Their output goes to files. */
export interface Servers {
  targets: Target[];
  pids(): number[];
  /** Returns the number of servers that ended without being told to. */
  ended(): number;
  /** Returns the last relevant lines of the output of an ended server. */
  lastWords(): Promise<string>;
  /** Kills them all at once, as a crash does. */
  crash(): Promise<void>;
  /** Kills them all and removes their output. */
  close(): Promise<void>;
}

/** The options of the servers. */
export interface ServersPlan {
  /** The folder of the checkout whose server is started. */
  checkout: string;
  processes: number;
  env: Record<string, string>;
  dataDir: string;
  /** In the form that `preload-limits.ts` takes. */
  limits: Record<string, Record<string, unknown>>;
}

/** The checkout that this file is in. */
export const ownCheckout = fileURLToPath(new URL('../../../', import.meta.url));

const heapMb = 512;
const startMsMax = 300_000;
let started = 0;

/** Starts servers, one after another. Resolves once all of them are ready. */
export async function openServers(plan: ServersPlan): Promise<Servers> {
  const open: Server[] = [];
  const crash = async () => {
    await Promise.all(open.map((server) => server.crash()));
  };
  try {
    const targets: Target[] = [];
    for (let number = 0; number < plan.processes; number++) {
      const server = spawnServer(plan);
      open.push(server);
      targets.push(await server.ready());
    }
    return {
      targets,
      pids: () => open.map(({ child }) => child.pid ?? 0),
      ended: () => open.filter((server) => server.endedByItself()).length,
      lastWords: async () => lastLines(await Promise.all(open.map((server) => server.output()))),
      crash,
      close: async () => {
        await crash();
        await Promise.all(open.map(({ log }) => rm(log, { force: true })));
      },
    };
  } catch (error) {
    await crash();
    throw error;
  }
}

interface Server {
  child: ChildProcess;
  log: string;
  ready(): Promise<Target>;
  endedByItself(): boolean;
  output(): Promise<string>;
  crash(): Promise<void>;
}

function spawnServer({ checkout: folder, dataDir, env, limits }: ServersPlan): Server {
  const checkout = folder.replace(/\/+$/, '');
  const preload = new URL('./preload-limits.ts', import.meta.url);
  preload.search = String(new URLSearchParams({ checkout, limits: JSON.stringify(limits) }));
  const log = `${dataDir}-${started++}.log`;
  const file = openSync(log, 'w');
  const child = spawn(process.execPath, [`${checkout}/server/src/main.ts`, 'start'], {
    cwd: dataDir,
    env: {
      ...env,
      // As in `npm start`.
      ...startEnv,
      NODE_OPTIONS: `${startEnv.NODE_OPTIONS} --max-old-space-size=${heapMb} --import ${preload.href}`,
    },
    stdio: ['ignore', file, file],
  });
  closeSync(file);
  const kill = () => child.kill('SIGKILL');
  // If this process ends before it could close its servers, none of them keeps running.
  process.once('exit', kill);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  let isCrashed = false;
  const output = () => readFile(log, 'utf8').catch(() => '');
  const ready = async () => {
    const look = async () => {
      if (hasEnded()) return 'ended';
      return /^.*"baseUrl".*$/m.exec(await output())?.[0];
    };
    const line = await eventually('a server', look, { withinMs: startMsMax });
    if (line === 'ended') throw new Error(`The server ended at its start:\n${await output()}`);
    return JSON.parse(line) as Target;
  };
  const crash = async () => {
    isCrashed ||= !hasEnded();
    process.off('exit', kill);
    kill();
    if (!hasEnded()) await once(child, 'exit');
  };
  return { child, log, ready, output, crash, endedByItself: () => hasEnded() && !isCrashed };
}

/** Returns the lines that show why a server ended. */
function lastLines(outputs: string[]): string {
  const telling = outputs.flatMap((text) =>
    text.split('\n').filter((line) => /FATAL|Error:|"level":[56]0/.test(line)),
  );
  return telling.slice(-3).join('\n').slice(0, 600);
}
