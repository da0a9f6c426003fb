import { brand } from '@postrider/contract';
import { Command } from 'commander';
import { registerApprovals } from './approvals-verbs.ts';
import { registerAudit } from './audit-verbs.ts';
import { registerControl } from './control-verbs.ts';
import { registerKeys } from './key-verbs.ts';
import { type Printing, runAndPrint, type Terminal } from './terminal.ts';

const workspaceOption = ['--workspace <name>', 'by default the first workspace'] as const;

/** Returns a program without verbs. */
export function createProgram(): Command {
  return new Command(commandName()).description('Email inboxes for AI agents.').showHelpAfterError();
}

/** The command as users type it. From source code, which runs as TypeScript, npm starts it. */
function commandName(): string {
  return import.meta.url.endsWith('.ts') ? `npm run ${brand.script} --` : brand.command;
}

/** Adds the verbs that a running server can carry out for the program that asks it. */
export function registerAdminVerbs(program: Command, terminal: Terminal): void {
  const before = program.commands.length;
  registerKeys(program.command('keys').description('API keys'), terminal);
  registerWorkspaces(program.command('workspaces').description('workspaces and their plans'), terminal);
  registerDomains(program.command('domains').description('sending domains and their DNS records'), terminal);
  registerPeople(program.command('people').description('people who sign in to the console'), terminal);
  registerControl(program, terminal);
  registerApprovals(program.command('approvals').description('messages that wait for approval'), terminal);
  registerAudit(
    program.command('audit').description('what was changed in workspaces, and by whom'),
    terminal,
  );
  registerSearch(program.command('search').description('the search index'), terminal);
  for (const verb of program.commands.slice(before)) offerJson(verb);
}

/** Programs ask every verb for JSON in the same way, also those that print nothing else. */
function offerJson(verb: Command): void {
  if (verb.commands.length > 0) for (const part of verb.commands) offerJson(part);
  else verb.option('--json', 'print the result as JSON');
}

function registerSearch(search: Command, terminal: Terminal): void {
  search
    .command('status')
    .description('show how much is indexed, what waits, and how far the mail from before the index has come')
    .action((options: Printing) => runAndPrint(terminal, 'search status', options));
}

function registerWorkspaces(workspaces: Command, terminal: Terminal): void {
  workspaces
    .command('create <name>')
    .description('make a workspace')
    .option('--plan <plan>', 'free, pro, scale or business', 'business')
    .option('--test', 'its mail never leaves this server', false)
    .action((name: string, options: { plan: string; test: boolean }) =>
      runAndPrint(terminal, 'workspaces create', { name, ...options }),
    );
  workspaces
    .command('list')
    .description('show workspaces')
    .action((options: Printing) => runAndPrint(terminal, 'workspaces list', options));
  workspaces
    .command('set-plan <name> <plan>')
    .description('put a workspace on another plan')
    .action((name: string, plan: string, options: Printing) =>
      runAndPrint(terminal, 'workspaces set-plan', { name, plan, ...options }),
    );
}

function registerDomains(domains: Command, terminal: Terminal): void {
  domains
    .command('list')
    .description('show the domains of all workspaces')
    .action((options: Printing) => runAndPrint(terminal, 'domains list', options));
  domains
    .command('show <hostname>')
    .description("show a domain's records as they are entered at the DNS provider, with what was found")
    .action((hostname: string, options: Printing) =>
      runAndPrint(terminal, 'domains show', { hostname, ...options }),
    );
  domains
    .command('zone <hostname>')
    .description("print a domain's records as a zone file")
    .action((hostname: string, options: Printing) =>
      runAndPrint(terminal, 'domains zone', { hostname, ...options }),
    );
  domains
    .command('template')
    .description('print the Domain Connect template of this server')
    .action((options: Printing) => runAndPrint(terminal, 'domains template', options));
}

/** Adds the verbs about people who sign in to the console. */
function registerPeople(people: Command, terminal: Terminal): void {
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
