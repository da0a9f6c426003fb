import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { createLocalWakeups } from '../db/wakeups.ts';
import { systemClock } from '../lib/clock.ts';
import { databaseSettings } from '../open-deps.ts';
import { firstWorkspaceName } from '../workspaces/bootstrap.ts';
import { callRunningServer } from './admin-socket.ts';
import { type AdminCommand, type AdminInput, runAdminCommand } from './commands.ts';

/** Adds the verbs that look after a server: they reach a running one by its socket, or else open its database. */
export const registerAdminVerbs = (program: Command): void => {
  program.command('migrate').description('bring the schema of the database up to date').action(runMigrate);
  registerKeys(program.command('keys').description('API keys'));
  registerWorkspaces(program.command('workspaces').description('workspaces and their plans'));
};

const registerKeys = (keys: Command): void => {
  keys
    .command('create')
    .description('make a key and print it, the only time that it can be read')
    .option('--workspace <name>', 'whose key', firstWorkspaceName)
    .option('--name <name>', 'what it is for', 'unnamed')
    .action((options: AdminInput<'keys create'>) => run('keys create', options));
  keys
    .command('list')
    .description('show keys and when they were last used')
    .option('--workspace <name>', 'only keys of this workspace')
    .action((options: AdminInput<'keys list'>) => run('keys list', options));
  keys
    .command('revoke <id>')
    .description('refuse a key from the next request on')
    .action((id: string) => run('keys revoke', { id }));
};

const registerWorkspaces = (workspaces: Command): void => {
  workspaces
    .command('create <name>')
    .description('make a workspace')
    .option('--plan <plan>', 'free, pro, scale or business', 'business')
    .option('--test', 'its mail never leaves this server', false)
    .action((name: string, options: { plan: string; test: boolean }) =>
      run('workspaces create', { name, ...options }),
    );
  workspaces
    .command('list')
    .description('show workspaces')
    .action(() => run('workspaces list', {}));
  workspaces
    .command('set-plan <name> <plan>')
    .description('put a workspace on another plan')
    .action((name: string, plan: string) => run('workspaces set-plan', { name, plan }));
};

const run = async <Name extends AdminCommand>(
  name: Name,
  input: AdminInput<Name> | object,
): Promise<void> => {
  const config = readConfig();
  const answer = (await callRunningServer(config.dataDir, name, input)) ?? {
    result: await runHere(name, input),
  };
  console.log(JSON.stringify(answer.result, null, 2));
};

/** Without a running server the database is free to be opened here. */
const runHere = async (name: string, input: unknown): Promise<unknown> => {
  const database = await openDatabase(databaseSettings(readConfig()));
  try {
    await migrate(database);
    return await runAdminCommand(
      { database, db: database.db, clock: systemClock, wakeups: createLocalWakeups() },
      name,
      input,
    );
  } finally {
    await database.close();
  }
};

const runMigrate = async (): Promise<void> => {
  const config = readConfig();
  // Postgres is migrated by this program, which may be newer than the one that runs; the embedded one by who has it open.
  const running = config.databaseUrl ? null : await callRunningServer(config.dataDir, 'migrate', {});
  const names = running ? (running.result as string[]) : await migrateHere(config);
  console.log(names.length > 0 ? `Applied ${names.join(', ')}.` : 'The schema is up to date.');
};

const migrateHere = async (config: Config): Promise<string[]> => {
  const database = await openDatabase(databaseSettings(config));
  try {
    return await migrate(database);
  } finally {
    await database.close();
  }
};
