import { brand } from '@postrider/contract';
import { Command } from 'commander';
import { migrate } from '../db/migrate.ts';
import { searchStatus } from '../search/index.ts';
import { adminTokenCommands, registerAdminTokens } from './admin-tokens.ts';
import { approvalsCommands, registerApprovals } from './approvals.ts';
import { auditCommands, registerAudit } from './audit.ts';
import { type AdminCommand, type AdminDeps, type Printing, runAndPrint, type Terminal } from './command.ts';
import { controlCommands, registerControl } from './control.ts';
import { domainCommands, registerDomains } from './domains.ts';
import { keyCommands, registerKeys } from './keys.ts';
import { peopleCommands, registerPeople } from './people.ts';
import { policyCommands, registerPolicy } from './policy.ts';
import { registerWorkspaces, workspaceCommands } from './workspaces.ts';

/** The commands of operators, by name. The command line runs them in a running server, or else directly on its database. */
const adminCommands = {
  migrate: (deps: AdminDeps) => migrate(deps.database),
  ...keyCommands,
  ...workspaceCommands,
  ...adminTokenCommands,
  ...domainCommands,
  ...approvalsCommands,
  ...auditCommands,
  ...peopleCommands,
  ...policyCommands,
  ...controlCommands,
  'search status': (deps: AdminDeps) => searchStatus(deps),
};

/** Runs a command by its name. Throws an Error that describes the problem. */
export async function runAdminCommand(deps: AdminDeps, name: string, input: unknown): Promise<unknown> {
  if (!Object.hasOwn(adminCommands, name)) throw new Error(`There is no command ${name}.`);
  const command = adminCommands[name as keyof typeof adminCommands] as AdminCommand<unknown>;
  return command(deps, input);
}

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
  registerAdminTokens(program.command('admin-tokens').description('tokens of the management API'), terminal);
  registerWorkspaces(program.command('workspaces').description('workspaces and their plans'), terminal);
  registerDomains(program.command('domains').description('sending domains and their DNS records'), terminal);
  registerPeople(program.command('people').description('people who sign in to the console'), terminal);
  registerPolicy(program, terminal);
  registerControl(program, terminal);
  registerApprovals(program.command('approvals').description('messages that wait for approval'), terminal);
  registerAudit(
    program.command('audit').description('the changes in workspaces, and who made them'),
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
    .description('show how much is indexed, how much is waiting, and the progress with older mail')
    .action((options: Printing) => runAndPrint(terminal, searchStatus, options));
}
