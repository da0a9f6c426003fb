import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { domainOf } from '../../lib/email-address.ts';
import { makeReportAddress, readReportAddress } from '../../lib/signed-address.ts';
import type { ReportScope } from '../../mail/reports/read-dmarc-report.ts';
import { bounceDomain } from '../mail-domain.ts';
import { registrableDomain } from '../records/expected-records.ts';

/** RFC 5321, section 4.5.3.1.3. */
const addressLengthMax = 254;

/** A domain that takes reports at an address. */
export interface ReportedDomain {
  workspaceId: string;
  domainId: string;
  hostname: string;
  selector: string;
}

/**
 * Returns the address to which receivers send DMARC reports on a domain. Returns null if its MAIL FROM domain leads to Amazon SES, which
 * takes nothing but bounces there, or if its name is too long.
 */
export function reportAddressFor(
  { config, keys }: Pick<Deps, 'config' | 'keys'>,
  { workspace_id, id, hostname }: { workspace_id: string; id: string; hostname: string },
): string | null {
  if (config.transport === 'ses') return null;
  const address = makeReportAddress(keys, bounceDomain(hostname), {
    workspaceId: workspace_id,
    domainId: id,
  });
  return address.length > addressLengthMax ? null : address;
}

/** Returns the domain whose reports go to an address. Returns null for any other address and a forged one, without a look-up. */
export async function findReportedDomain(
  deps: Pick<Deps, 'db' | 'keys'>,
  address: string,
): Promise<ReportedDomain | null> {
  const named = readReportAddress(address, [deps.keys]);
  if (!named) return null;
  const { workspaceIds, domainId } = named;
  const db = acrossWorkspaces(deps, 'an address for reports leads to its workspace');
  const [row] = await selectDomain({ db }, { ...workspaceIds, domainId });
  if (!row || bounceDomain(row.hostname) !== domainOf(address)) return null;
  return { workspaceId: row.workspace_id, domainId, hostname: row.hostname, selector: row.dkim_selector };
}

/** Returns the key by which the reports on a domain are counted. */
export function reportScope({ hostname, selector }: ReportedDomain): ReportScope {
  const policyDomains = [hostname, registrableDomain(hostname)];
  return { hostname, policyDomains, mailFromDomain: bounceDomain(hostname), selector };
}

interface Row {
  workspace_id: string;
  hostname: string;
  dkim_selector: string;
}

const selectDomain = prepared((db, named: { from: string; to: string; domainId: string }) =>
  sql<Row>`select d.workspace_id, d.hostname, d.dkim_selector from workspaces w
    join domains d on d.workspace_id = w.id and d.id = ${named.domainId}
    where w.id between ${named.from} and ${named.to}`.compile(db),
);
