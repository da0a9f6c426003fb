import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '../config/config.ts';
import { type Database, databaseSettings, openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { createLocalWakeups } from '../db/wakeups.ts';
import { createFiles } from '../files/create-files.ts';
import { createTimeScale, systemClock } from '../lib/clock.ts';
import { ServerAddress } from '../lib/server-address.ts';
import { endWithReader } from '../lib/start/running-server.mjs';
import { StartError, settingNames } from '../lib/start/start-error.ts';
import { createMailParser } from '../mail/parse/parse-pool.ts';
import { openSecret } from '../workspaces/open-secret.ts';
import type { AdminDeps, MailParts } from './admin-deps.ts';
import type { Terminal } from './terminal.ts';

/** The terminal of this process. Commands run directly on the database, since no server of the data folder runs that could be asked. */
export const ownTerminal: Terminal = {
  withDeps: async (work) => {
    const config = readConfig();
    if (!config.databaseUrl) refuseNewFolder(config.dataDir);
    await withOwnDeps(config, work);
  },
  write: async (text, stream = 'out') => {
    const to = stream === 'out' ? process.stdout : process.stderr;
    if (to.listenerCount('error') === 0) to.once('error', endWithReader);
    if (!to.write(text)) await once(to, 'drain');
  },
  fail: () => {
    process.exitCode = 1;
  },
};

/** Refuses a folder without a database: a verb that created one would hide that the folder is the wrong one. */
function refuseNewFolder(dataDir: string): void {
  if (existsSync(join(dataDir, 'postgres', 'data', 'PG_VERSION'))) return;
  const found = statSync(dataDir, { throwIfNoEntry: false });
  const what = found ? (found.isDirectory() ? 'has no database in it' : 'is a file') : 'does not exist';
  throw new StartError(
    `The data folder ${dataDir} ${what}. Set ${settingNames.dataDir} to the folder of your server; to begin a new one there, run "start" first.`,
  );
}

/** Calls `work` with everything that commands need, directly on the database, which can be opened while no server runs. */
function withOwnDeps(config: Config, work: (deps: AdminDeps) => Promise<void>): Promise<void> {
  return withDatabase(config, async (database) => {
    await migrate(database);
    const { db } = database;
    const openKeys = () => openSecret(database, config);
    const address = addressOf(config);
    const deps = {
      config,
      database,
      db,
      clock: systemClock,
      wakeups: createLocalWakeups(),
      address,
      openKeys,
      openMailParts: async () => openMailParts(config),
    };
    await work(deps);
  });
}

function openMailParts(config: Config): MailParts {
  const files = createFiles({ location: config.files, s3Endpoint: config.s3Endpoint });
  const parser = createMailParser();
  const timeScale = createTimeScale(config.timeScale);
  return { files, parser, timeScale, close: () => parser.close().then(() => files.close()) };
}

/** Links lead to the server as its settings describe it, though it does not listen now. Port 0 describes none. */
function addressOf(config: Config): ServerAddress {
  const address = new ServerAddress(config);
  const { host, port } = config.http;
  if (port !== 0) address.listenAt(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);
  return address;
}

/** Brings the schema up to date and returns the names of the migrations that ran. */
export function migrateHere(config: Config): Promise<string[]> {
  return withDatabase(config, migrate);
}

async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(databaseSettings(config));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
