import { Option } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { ownTerminal, registerOwnVerbs } from '../admin/own-terminal.ts';
import { createProgram, registerAdminVerbs } from '../admin/program.ts';
import { ConfigError } from '../config/config.ts';
import { sayError } from '../lib/start/start-error.ts';

/** Runs the command line: `start` runs the server, and the other verbs administer it. */
export async function runCommandLine(): Promise<void> {
  const program = createProgram().version(manifest.version);
  program
    .command('start')
    .description('run the server until SIGINT or SIGTERM')
    .addOption(
      new Option('--roles <roles>', 'the roles of this process, separated by commas').default(
        'api,smtp,worker',
      ),
    )
    // Imported here, so that the other verbs do not load the server and are quick.
    .option('--new-secret', 'replace the secret that the database was created with', false)
    .action(async ({ roles, newSecret }: { roles: string; newSecret: boolean }) =>
      (await import('./start.ts')).runStart(roles, newSecret),
    );
  registerOwnVerbs(program);
  registerAdminVerbs(program, ownTerminal);
  try {
    // Without a verb the server starts, so that one line with npx is a server.
    await program.parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, 'start']);
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : `Error: ${sayError(error)}`);
    process.exit(1);
  }
}
