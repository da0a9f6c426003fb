import { brand } from '@postrider/contract';
import { Command, Option } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { registerAdminVerbs } from '../admin/verbs.ts';
import { ConfigError } from '../config.ts';
import { sayError } from '../lib/start/start-error.ts';

/** The command as users type it. From source code, which runs as TypeScript, npm starts it. */
function commandName(): string {
  return import.meta.url.endsWith('.ts') ? `npm run ${brand.script} --` : brand.command;
}

/** Runs the command line: `start` runs the server, and the other verbs administer it. */
export async function runCommandLine(): Promise<void> {
  const program = new Command(commandName())
    .description('Email inboxes for AI agents.')
    .version(manifest.version)
    .showHelpAfterError();
  program
    .command('start')
    .description('run the server until SIGINT or SIGTERM')
    .addOption(
      new Option('--roles <roles>', 'what this process does, separated by commas').default('api,smtp,worker'),
    )
    // Imported here, so that the other verbs do not load the server and are quick.
    .option('--new-secret', 'replace the secret that the database was made with', false)
    .action(async ({ roles, newSecret }: { roles: string; newSecret: boolean }) =>
      (await import('./start.ts')).runStart(roles, newSecret),
    );
  registerAdminVerbs(program);
  try {
    await program.parseAsync();
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : `Error: ${sayError(error)}`);
    process.exit(1);
  }
}
