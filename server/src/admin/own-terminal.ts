import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
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
import { callRunningServer } from './call-server.ts';
import type { AdminDeps, MailParts, Terminal } from './command.ts';
import type { DoctorOptions } from './doctor/run-doctor.ts';

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
  const what = found ? (found.isDirectory() ? 'contains no database' : 'is a file') : 'does not exist';
  throw new StartError(
    `The data folder ${dataDir} ${what}. Set ${settingNames.dataDir} to the folder of your server. To create a new one there, run "start" first.`,
  );
}

/** Calls `work` with everything that commands need, directly on the database, which can be opened while no server runs. */
function withOwnDeps(config: Config, work: (deps: AdminDeps) => Promise<void>): Promise<void> {
  return withDatabase(config, async (database) => {
    await migrate(database);
    const { db } = database;
    const openKeys = () => openSecret(database, config);
    const address = serverAddress(config);
    const deps = {
      config,
      database,
      db,
      memory: new Map(),
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
function serverAddress(config: Config): ServerAddress {
  const address = new ServerAddress(config);
  const { host, port } = config.http;
  if (port !== 0) address.listenAt(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);
  return address;
}

/** Brings the schema up to date and returns the names of the migrations that ran. */
function migrateHere(config: Config): Promise<string[]> {
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

/** Adds the verbs that this program carries out itself, although they may ask a running server. */
export function registerOwnVerbs(program: Command): void {
  program
    .command('migrate')
    .description('migrate the database to the current schema')
    .option('--json', 'print the names of the migrations as JSON', false)
    .action(runMigrate);
  program
    .command('doctor')
    .description(
      'look for problems with settings, machine, database, mail and DNS; exits with 1 if it finds any',
    )
    .option('--json', 'print the findings as JSON', false)
    .option('--blocklists', 'also ask block lists about the addresses of this server', false)
    .action(async (options: DoctorOptions) => {
      // A question to a dead network would keep the process for longer than anybody waits for it.
      process.exit(await (await import('./doctor/run-doctor.ts')).runDoctor(options));
    });
}

async function runMigrate({ json }: { json: boolean }): Promise<void> {
  const config = readConfig();
  // This program migrates Postgres, as it may be newer than the running server. A database of the server's own is migrated by the
  // process that has it open.
  const running = config.databaseUrl ? null : await callRunningServer(config.dataDir, 'migrate', {});
  const names = running ? (running.result as string[]) : await migrateHere(config);
  if (json) console.log(JSON.stringify(names));
  else console.log(names.length > 0 ? `Applied ${names.join(', ')}.` : 'The schema is up to date.');
}
