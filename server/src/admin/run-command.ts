import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../config.ts';
import { settingNames } from '../lib/start/setting-names.ts';
import { StartError } from '../lib/start/start-error.ts';
import { callRunningServer } from './call-server.ts';
import type { AdminCommand, AdminInput } from './commands.ts';

/** Runs a command in the running server, or else on its database, and prints the result. */
export async function runCommand<Name extends AdminCommand>(
  name: Name,
  input: AdminInput<Name> | object,
): Promise<void> {
  const config = readConfig();
  const running = await callRunningServer(config.dataDir, name, input);
  if (!running && !config.databaseUrl) refuseNewFolder(config.dataDir);
  const result = running ? running.result : await (await openHere()).runHere(config, name, input);
  console.log(typeof result === 'string' ? result : JSON.stringify(result, null, 2));
}

/** Refuses a folder without a database: a verb that created one would hide that the folder is the wrong one. */
function refuseNewFolder(dataDir: string): void {
  if (existsSync(join(dataDir, 'database'))) return;
  const found = statSync(dataDir, { throwIfNoEntry: false });
  const what = found ? (found.isDirectory() ? 'has no database in it' : 'is a file') : 'does not exist';
  throw new StartError(
    `The data folder ${dataDir} ${what}. Set ${settingNames.dataDir} to the folder of your server; to begin a new one there, run "start" first.`,
  );
}

/** Loads what runs commands directly on the database, only if no server is running. */
export function openHere() {
  return import('./run-here.ts');
}
