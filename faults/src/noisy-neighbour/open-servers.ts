import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../../server/test/harness/eventually.ts';
import { startEnv } from '../../../server/test/harness/start-env.ts';
import type { Target } from './target.ts';

/** Servers of one home, whose output goes to files. */
export interface Servers {
  targets: Target[];
  pids(): number[];
  /** How many ended without being told to. */
  ended(): number;
  /** The last lines of what an ended one printed. */
  lastWords(): Promise<string>;
  /** Ends them all at once, as a crash does. */
  crash(): Promise<void>;
  /** The same, and removes their output. */
  close(): Promise<void>;
}

/** How servers are started. */
export interface ServersPlan {
  /** The folder of the checkout whose server it is. */
  checkout: string;
  processes: number;
  env: Record<string, string>;
  dataDir: string;
  /** As `preload-limits.ts` takes them. */
  limits: Record<string, Record<string, unknown>>;
}

/** The checkout that this file is in. */
export const ownCheckout = fileURLToPath(new URL('../../../', import.meta.url));

const heapMb = 512;
const startMsMax = 60_000;
let started = 0;

/** Starts servers, one after the other, and resolves once all of them are ready. */
export const openServers = async (plan: ServersPlan): Promise<Servers> => {
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
};

interface Server {
  child: ChildProcess;
  log: string;
  ready(): Promise<Target>;
  endedByItself(): boolean;
  output(): Promise<string>;
  crash(): Promise<void>;
}

const spawnServer = ({ checkout: folder, dataDir, env, limits }: ServersPlan): Server => {
  const checkout = folder.replace(/\/+$/, '');
  const preload = new URL('./preload-limits.ts', import.meta.url);
  preload.search = String(new URLSearchParams({ checkout, limits: JSON.stringify(limits) }));
  const log = `${dataDir}-${started++}.log`;
  const file = openSync(log, 'w');
  const child = spawn(process.execPath, [`${checkout}/server/src/main.ts`, 'start'], {
    cwd: dataDir,
    env: {
      ...env,
      // As `npm start` sets it.
      ...startEnv,
      NODE_OPTIONS: `${startEnv.NODE_OPTIONS} --max-old-space-size=${heapMb} --import ${preload.href}`,
    },
    stdio: ['ignore', file, file],
  });
  closeSync(file);
  const kill = () => child.kill('SIGKILL');
  // A process that ends before it could close its servers leaves none of them running.
  process.once('exit', kill);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  let isCrashed = false;
  const output = () => readFile(log, 'utf8').catch(() => '');
  const ready = async () => {
    const look = async () => {
      if (hasEnded()) return 'ended';
      return /^.*"baseUrl".*$/m.exec(await output())?.[0];
    };
    const line = await eventually('a server', look, startMsMax);
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
};

/** What tells why a server ended. */
const lastLines = (outputs: string[]): string => {
  const telling = outputs.flatMap((text) =>
    text.split('\n').filter((line) => /FATAL|Error:|"level":[56]0/.test(line)),
  );
  return telling.slice(-3).join('\n').slice(0, 600);
};
