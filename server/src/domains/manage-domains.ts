import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { viewDomain } from './domain.view.ts';
import type { DomainRow } from './find-domain.ts';
import { domainConnectTemplate } from './records/domain-connect.ts';
import { expectedRecords } from './records/expected-records.ts';
import { relativeName, zoneOf } from './records/relative-name.ts';
import { zoneFileOf } from './records/zone-file.ts';
import { reportAddressFor } from './reports/find-reported-domain.ts';
import { findReportedMail } from './reports/reported-mail.ts';

type DomainDeps = Pick<Deps, 'db' | 'config'>;
type KeyedDeps = DomainDeps & Pick<Deps, 'keys' | 'clock'>;

/** Returns the domains of all workspaces, for operators. */
export async function listAllDomains(deps: DomainDeps) {
  return acrossWorkspaces(deps, 'an operator looks after all domains')
    .selectFrom('domains')
    .innerJoin('workspaces', 'workspaces.id', 'domains.workspace_id')
    .select(['domains.id', 'hostname', 'workspaces.name as workspace', 'kind', 'status'])
    .select(['dmarc_policy', 'checked_at', 'due_at', 'domains.created_at'])
    .orderBy('domains.id')
    .execute();
}

/**
 * Returns what the owner of a domain enters at the DNS provider: each record with the name that goes into the form, and the result of its
 * last check.
 *
 * @throws Error if there is no such domain.
 */
export async function showDomain(deps: KeyedDeps, hostname: string) {
  const row = await findByHostname(deps, hostname);
  const zone = zoneOf(row.hostname);
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
export async function showZoneFile(deps: KeyedDeps, hostname: string): Promise<string> {
  return zoneFileFor(deps, await findByHostname(deps, hostname));
}

/** Returns the records of a domain as a zone file. */
export function zoneFileFor(deps: Pick<Deps, 'config' | 'keys'>, row: DomainRow): string {
  return zoneFileOf(row.hostname, expectedRecords(deps.config, row, reportAddressFor(deps, row)));
}

/** Returns the Domain Connect template of this server. */
export function showTemplate({ config }: DomainDeps) {
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
