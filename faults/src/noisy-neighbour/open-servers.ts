import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../../server/test/harness/eventually.ts';
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
  close(): Promise<void>;
}

/** How servers are started. */
export interface ServersPlan {
  /** The folder of the checkout whose server it is. */
  checkout: string;
  processes: number;
  env: Record<string, string>;
  dataDir: string;
  /** As `loosen-limits.ts` takes them. */
  limits: Record<string, Record<string, unknown>>;
}

/** The checkout that this file is in. */
export const ownCheckout = fileURLToPath(new URL('../../../', import.meta.url));

const heapMb = 512;
const startMsMax = 60_000;
let started = 0;

/** Starts servers and resolves once all of them are ready. */
export const openServers = async (plan: ServersPlan): Promise<Servers> => {
  const loosen = new URL('./loosen-limits.ts', import.meta.url).href;
  const env = {
    ...plan.env,
    NODE_OPTIONS: `--max-old-space-size=${heapMb} --import ${loosen}`,
    NOISY_CHECKOUT: plan.checkout.replace(/\/+$/, ''),
    NOISY_LIMITS: JSON.stringify(plan.limits),
  };
  const servers: { child: ChildProcess; log: string }[] = [];
  let isClosing = false;
  let ended = 0;
  const killAll = () => {
    isClosing = true;
    for (const { child } of servers) child.kill('SIGKILL');
  };
  process.once('exit', killAll);
  const targets: Target[] = [];
  const logOf = async (index: number) => await readFile(servers[index]?.log ?? '', 'utf8').catch(() => '');
  const crash = async () => {
    killAll();
    process.off('exit', killAll);
    await Promise.all(servers.map(({ child }) => hasEnded(child)));
  };
  for (let index = 0; index < plan.processes; index++) {
    const log = `${plan.dataDir}-${started++}.log`;
    const child = spawnServer(plan, env, log);
    servers.push({ child, log });
    child.once('exit', () => {
      if (!isClosing) ended += 1;
    });
    const look = async () => {
      const text = await logOf(index);
      if (ended > 0) throw new Error(`The server ended at its start:\n${text}`);
      return /^.*"baseUrl".*$/m.exec(text)?.[0];
    };
    try {
      targets.push(JSON.parse(await eventually('a server', look, startMsMax)) as Target);
    } catch (error) {
      await crash();
      throw error;
    }
  }
  const close = async () => {
    await crash();
    await Promise.all(servers.map(({ log }) => rm(log, { force: true })));
  };
  return {
    targets,
    pids: () => servers.map(({ child }) => child.pid ?? 0),
    ended: () => ended,
    lastWords: async () => {
      const texts = await Promise.all(servers.map((_, index) => logOf(index)));
      const telling = texts.flatMap((text) =>
        text.split('\n').filter((line) => /FATAL|"level":[56]0/.test(line)),
      );
      return telling.slice(-3).join('\n').slice(0, 600);
    },
    crash,
    close,
  };
};

const spawnServer = ({ checkout, dataDir }: ServersPlan, env: Record<string, string>, log: string) => {
  const file = openSync(log, 'w');
  const entry = `${checkout.replace(/\/+$/, '')}/server/src/main.ts`;
  const child = spawn(process.execPath, [entry, 'start'], {
    cwd: dataDir,
    env,
    stdio: ['ignore', file, file],
  });
  closeSync(file);
  return child;
};

const hasEnded = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};
