import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Postrider } from 'postrider';
import { emptyDatabase, freshServerDatabase } from '../database/fresh-database.ts';
import { operate } from './operate.ts';

/** The folder of this checkout. */
export const ownCheckout = resolve(fileURLToPath(new URL('../../../', import.meta.url)));
/** The end of the output that is kept. */
const outputCharacters = 10_000_000;

/** The end of a process, with everything that it printed. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
}

/** A server in a process of its own. */
export interface ServerProcess {
  pid: number;
  /** The time from the start of the process until it said that it was ready. */
  startMs: number;
  /** `http://127.0.0.1:<port>`, without `/v1`. */
  url: string;
  smtpPort: number;
  client: Postrider;
  output(): string;
  hasEnded(): boolean;
  /** Kills it, as in a crash. Resolves once it is gone. */
  crash(): Promise<Ended>;
  /** Ends it with SIGTERM. */
  stop(): Promise<Ended & { tookMs: number }>;
}

/** The data and settings of a server, which outlive its processes. */
export interface ServerHome {
  dataDir: string;
  /** The key of the workspace `home`, which is created by configuration. */
  key: string;
  env: Record<string, string>;
  /** Starts a server. Resolves once it is ready. */
  start(env?: Record<string, string>): Promise<ServerProcess>;
  /** Runs the command line to its end. */
  run(args: string[], env?: Record<string, string>): Promise<Ended>;
  /** Runs a command of the operator in the first of its running servers, over the socket of the data folder. */
  operate(command: string, input: object): Promise<unknown>;
  /** Starts the command line and returns the process, for tests that end it early. */
  spawn(args: string[], env?: Record<string, string>): ChildProcess;
  /** Ends what still runs and removes the data. */
  remove(): Promise<void>;
}

/** The options of a home. */
export interface ServerHomeOptions {
  /** If false, the server has to create the schema. */
  migrated?: boolean;
  /** Settings for a database of the caller, empty for one that the server starts itself; by default, a fresh one of the run. */
  database?: Record<string, string>;
  /** The parent folder of the data folder. */
  parent?: string;
  /** The folder of the checkout whose server is started; by default this one. */
  checkout?: string;
  /** Whether to show what a server prints after its start. */
  isShown?: boolean;
}

/** Creates an empty home, with the schema in its database unless told otherwise. */
export async function makeServerHome(
  settings: Record<string, string> = {},
  options: ServerHomeOptions = {},
): Promise<ServerHome> {
  const { migrated = true, database: own, parent = tmpdir(), checkout = ownCheckout } = options;
  const entry = join(checkout, 'server/src/main.ts');
  const dataDir = await mkdtemp(join(parent, 'postrider-process-'));
  const database = own ? { env: own, drop: async () => {} } : await databaseFor(migrated);
  const key = makeKey();
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    POSTRIDER_DATA_DIR: dataDir,
    POSTRIDER_HTTP_PORT: '0',
    POSTRIDER_SMTP_PORT: '0',
    POSTRIDER_SMTP_HOSTNAME: 'mx.postrider.test',
    POSTRIDER_RATE_LIMITS: 'off',
    POSTRIDER_SECRET: randomBytes(32).toString('hex'),
    POSTRIDER_BOOTSTRAP: JSON.stringify([{ name: 'home', key }]),
    ...database.env,
    ...settings,
  };
  const children = new Set<ChildProcess>();
  const spawnHere = (args: string[], more: Record<string, string> = {}) => {
    // The data folder has no `.env` of the project.
    const child = spawn(process.execPath, [entry, ...args], { cwd: dataDir, env: { ...env, ...more } });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };
  const killAll = () => {
    for (const child of children) child.kill('SIGKILL');
  };
  // If a test process ends before it could remove its home, no server keeps running.
  process.once('exit', killAll);
  return {
    dataDir,
    key,
    env,
    start: (more) => untilReady(spawnHere(['start'], more), key, options.isShown ?? false),
    run: (args, more) => untilEnd(spawnHere(args, more)),
    operate: (command, input) => operate(dataDir, command, input),
    spawn: spawnHere,
    remove: async () => {
      killAll();
      process.off('exit', killAll);
      await Promise.all([...children].map(untilEnd));
      await database.drop();
      // The database of a server that was killed ends a moment later.
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** Returns a key that a server can be given before it starts. */
export function makeKey(): string {
  return `pr_live_${randomBytes(22).toString('hex').slice(0, 43)}`;
}

function databaseFor(migrated: boolean) {
  return migrated ? freshServerDatabase() : emptyServerDatabase();
}

async function emptyServerDatabase() {
  const { settings, drop } = await emptyDatabase();
  return { env: { DATABASE_URL: settings.url }, drop };
}

/** Collects the output of a process, and how it ends. */
export function watch(child: ChildProcess): { output(): string; ended: Promise<Ended> } {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > 2 * outputCharacters) output = output.slice(-outputCharacters);
    });
  const ended = new Promise<Ended>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null)
      resolve({ code: child.exitCode, signal: child.signalCode, output });
    child.once('close', (code, signal) => resolve({ code, signal, output }));
  });
  return { output: () => output, ended };
}

function untilEnd(child: ChildProcess): Promise<Ended> {
  return watch(child).ended;
}

async function untilReady(child: ChildProcess, key: string, isShown: boolean): Promise<ServerProcess> {
  const from = performance.now();
  const { output, ended } = watch(child);
  const ready = new Promise<{ url: string; smtpPort: number }>((resolve) => {
    const look = () => {
      const addresses = readBox(output());
      if (!addresses) return;
      child.stdout?.off('data', look);
      resolve(addresses);
    };
    child.stdout?.on('data', look);
  });
  const up = await Promise.race([ready, ended]);
  if (!('url' in up)) throw new Error(`The server ended with ${up.code ?? up.signal}:\n${up.output}`);
  if (isShown)
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: string) => process.stderr.write(text));
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return {
    pid: child.pid ?? 0,
    startMs: performance.now() - from,
    url: up.url,
    smtpPort: up.smtpPort,
    client: new Postrider({ apiKey: key, baseURL: `${up.url}/v1`, maxRetries: 0 }),
    output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    crash: () => end('SIGKILL'),
    stop: async () => {
      const from = performance.now();
      const how = await end('SIGTERM');
      return { ...how, tookMs: performance.now() - from };
    },
  };
}

/** Returns the addresses in the box that a server prints once it listens. Unlike the log, the box does not depend on a level. */
function readBox(output: string): { url: string; smtpPort: number } | null {
  const url = /API +(http:\S+)\/v1/.exec(output)?.[1];
  const smtpPort = /SMTP +\S+:(\d+),/.exec(output)?.[1];
  return output.includes('└') && url && smtpPort ? { url, smtpPort: Number(smtpPort) } : null;
}
