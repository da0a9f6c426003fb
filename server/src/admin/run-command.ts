import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../config.ts';
import { settingNames } from '../lib/start/setting-names.ts';
import { StartError } from '../lib/start/start-error.ts';
import { callRunningServer, isServerRunning } from './call-server.ts';
import type { AdminCommand, AdminInput, RunCommand } from './commands.ts';

/** Runs a command in the running server, or else on its database, and prints the result. */
export function runCommand<Name extends AdminCommand>(
  name: Name,
  input: AdminInput<Name> | object,
): Promise<void> {
  return withCommands(async (run) => {
    const result = await run(name, input);
    console.log(typeof result === 'string' ? result : JSON.stringify(result, null, 2));
  });
}

/** Calls `work` with a function that runs commands, all in the running server, or else on its database, which is open meanwhile. */
export async function withCommands(work: (run: RunCommand) => Promise<void>): Promise<void> {
  const config = readConfig();
  if (await isServerRunning(config.dataDir))
    return work(async (name, input) => {
      const answer = await callRunningServer(config.dataDir, name, input);
      if (!answer) throw new Error('The server has stopped meanwhile. Run the command again.');
      return answer.result;
    });
  if (!config.databaseUrl) refuseNewFolder(config.dataDir);
  return (await openHere()).withCommandsHere(config, work);
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
