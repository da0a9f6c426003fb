import { brand } from '@postrider/contract';
import { Command, Option } from 'commander';
import { registerAdminVerbs } from './admin/verbs.ts';
import { ConfigError } from './config.ts';

/** Runs what the command line asks for: `start` runs the server, the other verbs look after it. */
export const runCommandLine = async (): Promise<void> => {
  const program = new Command(brand.command).description('Email inboxes for AI agents.').showHelpAfterError();
  program
    .command('start')
    .description('run the server until SIGINT or SIGTERM')
    .addOption(
      new Option('--roles <roles>', 'what this process does, separated by commas').default('api,smtp,worker'),
    )
    // The other verbs are quick because they do not load the server.
    .action(async (options: { roles: string }) => (await import('./start.ts')).runStart(options.roles));
  registerAdminVerbs(program);
  try {
    await program.parseAsync();
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : `Error: ${(error as Error).message}`);
    process.exit(1);
  }
};
