import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../config/config.ts';
import { endWithReader } from '../lib/start/running-server.mjs';
import { settingNames } from '../lib/start/setting-names.ts';
import { StartError } from '../lib/start/start-error.ts';
import type { Terminal } from './terminal.ts';

/** The terminal of this process. Commands run directly on the database, since no server of the data folder runs that could be asked. */
export const ownTerminal: Terminal = {
  withCommands: async (work) => {
    const config = readConfig();
    if (!config.databaseUrl) refuseNewFolder(config.dataDir);
    return (await openHere()).withCommandsHere(config, work);
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

/** Loads what runs commands directly on the database, only if no server is running. */
export function openHere() {
  return import('./run-here.ts');
}
