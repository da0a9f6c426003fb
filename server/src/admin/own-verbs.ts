import type { Command } from 'commander';
import { readConfig } from '../config/config.ts';
import { callRunningServer } from './call-server.ts';
import type { DoctorOptions } from './doctor/run-doctor.ts';
import { migrateHere } from './own-terminal.ts';

/** Adds the verbs that this program carries out itself, although they may ask a running server. */
export function registerOwnVerbs(program: Command): void {
  program
    .command('migrate')
    .description('bring the schema of the database up to date')
    .option('--json', 'print the names of the migrations as JSON', false)
    .action(runMigrate);
  program
    .command('doctor')
    .description(
      'look for problems of settings, machine, database, mail and DNS; exit code 1 where there are some',
    )
    .option('--json', 'print the findings as JSON', false)
    .option('--blocklists', 'also ask block lists for the addresses of this server', false)
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
