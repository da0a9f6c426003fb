import type { Command } from 'commander';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { viewDomain, writeZoneFile } from '../domains/domain.view.ts';
import type { DomainRow } from '../domains/find-domain.ts';
import { expectedRecords, registrableDomain, relativeName } from '../domains/records/expected-records.ts';
import { domainConnectTemplate } from '../domains/records/zone-file.ts';
import { findReportedMail } from '../domains/reports/reported-mail.ts';
import { type AdminDeps, type Printing, runAndPrint, type Terminal } from './command.ts';

type DomainDeps = Pick<Deps, 'db' | 'config'>;
type KeyedDeps = DomainDeps & Pick<Deps, 'keys' | 'clock'>;

/** The commands about sending domains. */
export const domainCommands = {
  'domains list': (deps: AdminDeps) => listAllDomains(deps),
  'domains show': async (deps: AdminDeps, input: { hostname: string }) =>
    showDomain({ ...deps, keys: await deps.openKeys() }, input.hostname),
  'domains zone': async (deps: AdminDeps, input: { hostname: string }) =>
    showZoneFile({ ...deps, keys: await deps.openKeys() }, input.hostname),
  'domains template': async (deps: AdminDeps) => showTemplate(deps),
};

/** Adds the verbs about sending domains. */
export function registerDomains(domains: Command, terminal: Terminal): void {
  domains
    .command('list')
    .description('show the domains of all workspaces')
    .action((options: Printing) => runAndPrint(terminal, domainCommands['domains list'], options));
  domains
    .command('show <hostname>')
    .description(
      "show a domain's records as you enter them at the DNS provider, with the results of the last check",
    )
    .action((hostname: string, options: Printing) =>
      runAndPrint(terminal, domainCommands['domains show'], { hostname, ...options }),
    );
  domains
    .command('zone <hostname>')
    .description("print a domain's records as a zone file")
    .action((hostname: string, options: Printing) =>
      runAndPrint(terminal, domainCommands['domains zone'], { hostname, ...options }),
    );
  domains
    .command('template')
    .description('print the Domain Connect template of this server')
    .action((options: Printing) => runAndPrint(terminal, domainCommands['domains template'], options));
}

/** Returns the domains of all workspaces, for operators. */
async function listAllDomains(deps: DomainDeps) {
  return acrossWorkspaces(deps, 'an operator looks after all domains')
    .selectFrom('domains')
    .innerJoin('workspaces', 'workspaces.id', 'domains.workspace_id')
    .select(['domains.id', 'hostname', 'workspaces.name as workspace', 'kind', 'status'])
    .select(['dmarc_policy', 'checked_at', 'due_at', 'domains.created_at'])
    .orderBy('domains.id')
    .execute();
}

/**
 * Returns the records that the owner of a domain enters at the DNS provider, each with the name for the form and the result of its last
 * check.
 *
 * @throws Error if there is no such domain.
 */
async function showDomain(deps: KeyedDeps, hostname: string) {
  const row = await findByHostname(deps, hostname);
  const zone = registrableDomain(row.hostname);
  const reported = await findReportedMail({ ...deps, workspaceId: row.workspace_id }, [row.id]);
  const { status, dmarc_policy, records } = viewDomain(deps, row, reported.get(row.id));
  return {
    hostname,
    status,
    dmarc_policy,
    zone,
    records: records.map(({ name, ...record }) => ({ host: relativeName(name, zone), ...record })),
  };
}

/** Returns the records of the domain with a hostname as a zone file. Throws an Error if there is no such domain. */
async function showZoneFile(deps: KeyedDeps, hostname: string): Promise<string> {
  return writeZoneFile(deps, await findByHostname(deps, hostname));
}

/** Returns the Domain Connect template of this server. */
function showTemplate({ config }: DomainDeps) {
  const hostname = 'example.com';
  const sample = { hostname, kind: 'byo', dmarc_policy: 'none', ownership_token: '' } as const;
  const domain = { ...sample, dkim_selector: 'selector', dkim_public_key: '' };
  const reportAddress = config.transport === 'ses' ? null : 'reports';
  const records = expectedRecords(config, domain, reportAddress);
  return domainConnectTemplate(config.mailDomain, hostname, records);
}

async function findByHostname(deps: DomainDeps, hostname: string): Promise<DomainRow> {
  const rows = await acrossWorkspaces(deps, 'an operator looks after all domains')
    .selectFrom('domains')
    .selectAll()
    .where('hostname', '=', hostname.toLowerCase())
    .orderBy('verified_at', (order) => order.desc().nullsLast())
    .execute();
  const [row] = rows;
  if (!row) throw new Error(`There is no domain ${hostname}. "domains list" shows them.`);
  return row;
}
