import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { registerApprovals } from './approvals-verbs.ts';
import { registerAudit } from './audit-verbs.ts';
import { callRunningServer } from './call-server.ts';
import { registerControl } from './control-verbs.ts';
import type { DoctorOptions } from './doctor/run-doctor.ts';
import { registerKeys } from './key-verbs.ts';
import { registerPeople } from './people-verbs.ts';
import { openHere, runCommand } from './run-command.ts';

/** Adds the verbs that administer a server. They reach a running server by its socket, or else open its database. */
export function registerAdminVerbs(program: Command): void {
  program.command('migrate').description('bring the schema of the database up to date').action(runMigrate);
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
  registerKeys(program.command('keys').description('API keys'));
  registerWorkspaces(program.command('workspaces').description('workspaces and their plans'));
  registerDomains(program.command('domains').description('sending domains and their DNS records'));
  registerPeople(program.command('people').description('people who sign in to the console'));
  registerControl(program);
  registerApprovals(program.command('approvals').description('messages that wait for approval'));
  registerAudit(program.command('audit').description('what was changed in workspaces, and by whom'));
  registerSearch(program.command('search').description('the search index'));
}

function registerSearch(search: Command): void {
  search
    .command('status')
    .description('show how much is indexed, what waits, and how far the mail from before the index has come')
    .action(() => runCommand('search status', {}));
}

function registerWorkspaces(workspaces: Command): void {
  workspaces
    .command('create <name>')
    .description('make a workspace')
    .option('--plan <plan>', 'free, pro, scale or business', 'business')
    .option('--test', 'its mail never leaves this server', false)
    .action((name: string, options: { plan: string; test: boolean }) =>
      runCommand('workspaces create', { name, ...options }),
    );
  workspaces
    .command('list')
    .description('show workspaces')
    .action(() => runCommand('workspaces list', {}));
  workspaces
    .command('set-plan <name> <plan>')
    .description('put a workspace on another plan')
    .action((name: string, plan: string) => runCommand('workspaces set-plan', { name, plan }));
}

function registerDomains(domains: Command): void {
  domains
    .command('list')
    .description('show the domains of all workspaces')
    .action(() => runCommand('domains list', {}));
  domains
    .command('show <hostname>')
    .description("show a domain's records as they are entered at the DNS provider, with what was found")
    .action((hostname: string) => runCommand('domains show', { hostname }));
  domains
    .command('zone <hostname>')
    .description("print a domain's records as a zone file")
    .action((hostname: string) => runCommand('domains zone', { hostname }));
  domains
    .command('template')
    .description('print the Domain Connect template of this server')
    .action(() => runCommand('domains template', {}));
}

async function runMigrate(): Promise<void> {
  const config = readConfig();
  // This program migrates Postgres, as it may be newer than the running server. An embedded database is migrated by the process that has it
  // open.
  const running = config.databaseUrl ? null : await callRunningServer(config.dataDir, 'migrate', {});
  const names = running ? (running.result as string[]) : await (await openHere()).migrateHere(config);
  console.log(names.length > 0 ? `Applied ${names.join(', ')}.` : 'The schema is up to date.');
}
