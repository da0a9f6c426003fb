import type { Command } from 'commander';
import { type Printing, runAndPrint, type Terminal } from './terminal.ts';

const workspaceOption = ['--workspace <name>', 'by default the first workspace'] as const;

/** Adds the verbs about people who sign in to the console. */
export function registerPeople(people: Command, terminal: Terminal): void {
  people
    .command('list')
    .description('show people, their workspaces and roles')
    .action((options: Printing) => runAndPrint(terminal, 'people list', options));
  people
    .command('invite <email>')
    .description('print a link with which a person joins a workspace, once, within seven days')
    .option(...workspaceOption)
    .option('--role <role>', 'owner or member', 'member')
    .action((email: string, options: { workspace?: string; role: string }) =>
      runAndPrint(terminal, 'people invite', { email, ...options }),
    );
  people
    .command('set-role <email> <role>')
    .description('make a person an owner or a member of a workspace')
    .option(...workspaceOption)
    .action((email: string, role: string, options: { workspace?: string }) =>
      runAndPrint(terminal, 'people set-role', { email, role, ...options }),
    );
  people
    .command('remove <email>')
    .description('take a person out of a workspace')
    .option(...workspaceOption)
    .action((email: string, options: { workspace?: string }) =>
      runAndPrint(terminal, 'people remove', { email, ...options }),
    );
  people
    .command('reset <email>')
    .description('print a link with which a person chooses a new password, once, within an hour')
    .action((email: string, options: Printing) =>
      runAndPrint(terminal, 'people reset', { email, ...options }),
    );
  people
    .command('second-factor-off <email>')
    .description(
      'let a person who has lost the phone sign in without its codes, and end all sessions and passkeys',
    )
    .action((email: string, options: Printing) =>
      runAndPrint(terminal, 'people second-factor-off', { email, ...options }),
    );
}
