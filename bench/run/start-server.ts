import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEnv } from '@postrider/testkit/servers/start-env.ts';
import { Postrider } from 'postrider';
import type { Bench } from './group.ts';
import { type Program, startProgram } from './program.ts';

/** The checkout of the bench. */
export const ownFolder = fileURLToPath(new URL('../../', import.meta.url));

/** A Postrider server in a process of its own, with an inbox. */
export interface Server {
  program: Program<unknown>;
  client: Postrider;
  /** The key of a second workspace. */
  otherKey: string;
  /** The URL of the API, without `/v1`. */
  origin: string;
  smtpPort: number;
  databaseUrl: string | null;
  /** Its data folder, which has its own Postgres if it starts one. */
  dataDir: string;
  key: string;
  inbox: { id: string; address: string };
  /** The time from the start of the process until it reported that it was ready. */
  startMs: number;
  /** Ends the process and keeps the data, so that it can be started again. */
  stop(): Promise<void>;
  /** Starts it again, with other settings if there are some. */
  start(changed?: Record<string, string>): Promise<Server>;
}

/**
 * Starts the server on a Postgres, or on one of its own if `databaseUrl` is null. It ends with the group. Each of `moreKeys` is the
 * key of another workspace.
 */
export async function startServer(
  bench: Pick<Bench, 'atEnd' | 'serverFolder'>,
  databaseUrl: string | null,
  settings: Record<string, string> = {},
  moreKeys: string[] = [],
): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), 'postrider-bench-'));
  bench.atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const [key, otherKey] = [makeKey(), makeKey()];
  const workspaces = [
    { name: 'bench', plan: 'business', key },
    { name: 'other', plan: 'business', key: otherKey },
    ...moreKeys.map((more, index) => ({ name: `more-${index}`, plan: 'business', key: more })),
  ];
  const env = {
    PATH: process.env.PATH ?? '',
    // As in `npm start`.
    NODE_COMPILE_CACHE: join(bench.serverFolder, 'server/node_modules/.cache/compile'),
    ...startEnv,
    POSTRIDER_DATA_DIR: dataDir,
    POSTRIDER_HTTP_PORT: '0',
    POSTRIDER_SMTP_PORT: '0',
    POSTRIDER_LOG: 'warn',
    POSTRIDER_SECRET: randomBytes(32).toString('hex'),
    POSTRIDER_BOOTSTRAP: JSON.stringify(workspaces),
    POSTRIDER_RATE_LIMITS: 'off',
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    ...settings,
  };
  const start = async (changed: Record<string, string> = {}): Promise<Server> => {
    const from = performance.now();
    const command = [process.execPath, join(bench.serverFolder, 'server/src/main.ts'), 'start'];
    // The data folder has no `.env` of the project.
    const program = await startProgram(command, readBox, { cwd: dataDir, env: { ...env, ...changed } });
    const startMs = performance.now() - from;
    bench.atEnd(program.stop);
    const { baseUrl, smtpPort } = program.ready;
    const client = new Postrider({ apiKey: key, baseURL: baseUrl });
    const inbox = await findInbox(client);
    const { origin } = new URL(baseUrl);
    return {
      program,
      client,
      origin,
      smtpPort,
      databaseUrl,
      dataDir,
      key,
      otherKey,
      inbox,
      startMs,
      stop: program.stop,
      start,
    };
  };
  return start();
}

/** Returns a key that a server can be given before it starts. */
export function makeKey(): string {
  return `pr_live_${randomBytes(22).toString('hex').slice(0, 43)}`;
}

/** Returns the addresses from the box that the server prints once it listens. With few log lines, only the box shows that it does. */
function readBox(output: string): { baseUrl: string; smtpPort: number } | null {
  const baseUrl = /API +(http:\S+)/.exec(output)?.[1];
  const smtpPort = /SMTP +127\.0\.0\.1:(\d+)/.exec(output)?.[1];
  return output.includes('└') && baseUrl && smtpPort ? { baseUrl, smtpPort: Number(smtpPort) } : null;
}

async function findInbox(client: Postrider): Promise<{ id: string; address: string }> {
  const { inboxes } = await client.inboxes.list();
  return inboxes[0] ?? client.inboxes.create({ local_part: 'bench' });
}
