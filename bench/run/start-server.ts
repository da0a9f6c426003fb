import { join } from 'node:path';
import { readMemory, resetPeakMemory } from '@postrider/testkit/servers/process-memory.ts';
import { makeKey, makeServerHome, type ServerHome } from '@postrider/testkit/servers/server-process.ts';
import { startEnv } from '@postrider/testkit/servers/start-env.ts';
import { Postrider } from 'postrider';
import type { Bench } from './group.ts';

/** A Postrider server in a process of its own, with an inbox. */
export interface Server {
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
  /** Returns its resident memory now and at its peak, in MB. */
  memory(): { now: number; peak: number };
  resetPeakMemory(): void;
  /** Ends the process and keeps the data, so that it can be started again. */
  stop(): Promise<unknown>;
  /** Starts it again. */
  start(): Promise<Server>;
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
  const [key, otherKey] = [makeKey(), makeKey()];
  const workspaces = [
    { name: 'bench', plan: 'business', key },
    { name: 'other', plan: 'business', key: otherKey },
    ...moreKeys.map((more, index) => ({ name: `more-${index}`, plan: 'business', key: more })),
  ];
  const env = {
    // As in `npm start`.
    NODE_COMPILE_CACHE: join(bench.serverFolder, 'server/node_modules/.cache/compile'),
    ...startEnv,
    POSTRIDER_LOG: 'warn',
    POSTRIDER_BOOTSTRAP: JSON.stringify(workspaces),
    ...settings,
  };
  const home = await makeServerHome(env, {
    database: databaseUrl === null ? {} : { DATABASE_URL: databaseUrl },
    checkout: bench.serverFolder,
    // Warnings under load explain why a figure is low.
    isShown: true,
  });
  bench.atEnd(home.remove);
  return start(home, { databaseUrl, key, otherKey });
}

async function start(
  home: ServerHome,
  fixed: Pick<Server, 'databaseUrl' | 'key' | 'otherKey'>,
): Promise<Server> {
  const { url, smtpPort, startMs, pid, stop } = await home.start();
  const client = new Postrider({ apiKey: fixed.key, baseURL: `${url}/v1` });
  return {
    ...fixed,
    client,
    origin: url,
    smtpPort,
    dataDir: home.dataDir,
    inbox: await findInbox(client),
    startMs,
    memory: () => readMemory(pid),
    resetPeakMemory: () => resetPeakMemory(pid),
    stop,
    start: () => start(home, fixed),
  };
}

async function findInbox(client: Postrider): Promise<{ id: string; address: string }> {
  const { inboxes } = await client.inboxes.list();
  return inboxes[0] ?? client.inboxes.create({ local_part: 'bench' });
}
