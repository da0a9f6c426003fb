import type { DnsRecord, Domain } from '@postrider/contract';
import type { Deps } from '../deps.ts';
import type { RecordCheck } from './domain.entity.ts';
import type { DomainRow } from './find-domain.ts';
import { bounceDomain } from './mail-domain.ts';
import { type ExpectedRecord, expectedRecords } from './records/expected-records.ts';
import { zoneFileText } from './records/zone-file.ts';
import { reportAddressFor } from './reports/find-reported-domain.ts';
import { describeReports, type ReportedMail } from './reports/reported-mail.ts';

/**
 * Returns a domain as the API shows it, with every record that it has to publish and the result of the last check. That of the DMARC record
 * includes the mail that receivers reported.
 */
export function viewDomain(
  deps: Pick<Deps, 'config' | 'keys'>,
  row: DomainRow,
  reported: ReportedMail | undefined,
): Domain {
  const records = expectedRecords(deps.config, row, reportAddressFor(deps, row));
  return {
    id: row.id,
    hostname: row.hostname,
    kind: row.kind,
    status: row.status,
    dmarc_policy: row.dmarc_policy,
    mail_from_domain: bounceDomain(row.hostname),
    records: records.map((expected) => viewRecord(row, expected, reported)),
    verified_at: row.verified_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

function viewRecord(row: DomainRow, expected: ExpectedRecord, reported: ReportedMail | undefined): DnsRecord {
  const { type, name, value, priority, purpose } = expected;
  const check = row.checks.find((made) => made.purpose === purpose);
  const status = check?.status ?? 'pending';
  return {
    type,
    name,
    value,
    priority,
    purpose,
    status,
    found: check?.found ?? null,
    hint: check ? writeHint(row, check, reported) : null,
  };
}

/** Returns the records of a domain as a zone file. */
export function writeZoneFile(deps: Pick<Deps, 'config' | 'keys'>, row: DomainRow): string {
  return zoneFileText(row.hostname, expectedRecords(deps.config, row, reportAddressFor(deps, row)));
}

/**
 * Says what is wrong, what receivers reported and, unless the record is right, where we looked and when we will look next. Returns null if
 * there is nothing to say.
 */
function writeHint(row: DomainRow, check: RecordCheck, reported: ReportedMail | undefined): string | null {
  const warning = findWarning(row, check);
  const reports = check.purpose === 'dmarc' && reported ? [describeReports(row.dmarc_policy, reported)] : [];
  const said = [check.hint ?? '', warning ?? '', ...reports].filter((part) => part !== '');
  if (check.status === 'verified' && warning === null && !check.isUnanswered) return said.join('; ') || null;
  const asked = check.server === null ? `looked at ${check.at}` : `asked ${check.server} at ${check.at}`;
  const next = row.due_at === null ? '' : `; next look at ${row.due_at.toISOString()}`;
  return [...said, `${asked}${next}`].join('; ');
}

/** Returns a warning if receivers that follow the DMARC policy would refuse good mail of the domain; otherwise null. */
function findWarning({ dmarc_policy, checks }: DomainRow, { purpose, found }: RecordCheck): string | null {
  if (purpose !== 'dmarc' || dmarc_policy === 'none') return null;
  const broken = checks
    .filter(({ purpose: other, status }) => (other === 'dkim' || other === 'spf') && status !== 'verified')
    .map(({ purpose: other }) => other.toUpperCase());
  if (broken.length > 0)
    return `warning: ${broken.join(' and ')} cannot be verified now, so p=${dmarc_policy} may hit your own mail`;
  return /;\s*aspf\s*=\s*s/i.test(found ?? '')
    ? 'warning: aspf=s makes SPF fail, because return paths are at a subdomain; leave it out'
    : null;
}
