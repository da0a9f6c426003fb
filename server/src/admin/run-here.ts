import type { Config } from '../config/config.ts';
import { type Database, databaseSettings, openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { createLocalWakeups } from '../db/wakeups.ts';
import { createFiles } from '../files/create-files.ts';
import { createTimeScale, systemClock } from '../lib/clock.ts';
import { ServerAddress } from '../lib/server-address.ts';
import { createMailParser } from '../mail/parse/parse-pool.ts';
import { openSecret } from '../workspaces/open-secret.ts';
import type { MailParts } from './admin-deps.ts';
import { type RunCommand, runAdminCommand } from './commands.ts';

/** Calls `work` with a function that runs commands directly on the database, which can be opened while no server runs. */
export function withCommandsHere(config: Config, work: (run: RunCommand) => Promise<void>): Promise<void> {
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
    await work((name, input) => runAdminCommand(deps, name, input));
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
