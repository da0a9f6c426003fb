import type { Deps } from '../../deps.ts';
import type { DomainRow } from '../../domains/find-domain.ts';
import { type ExpectedRecord, expectedRecords } from '../../domains/records/expected-records.ts';
import { type DomainState, recordWaitsMs, sendingPurposes } from '../../domains/records/next-state.ts';
import type { PublishedDomain, RecordCheck } from '../../domains/records/record-check.ts';
import { quoteText } from '../../domains/records/zone-file.ts';
import { reportAddressFor } from '../../domains/reports/find-reported-domain.ts';
import type { DerivedKeys } from '../../lib/crypto/secrets.ts';
import { type Finding, note, problem } from './finding.ts';

/** A domain with its state after a check. */
export type CheckedDomain = PublishedDomain &
  Pick<DomainRow, 'workspace_id' | 'id'> &
  Pick<DomainState, 'status' | 'checks' | 'failing_since' | 'looking_since' | 'verified_at'>;

/**
 * Returns what is wrong with a domain, with the records to publish; null if it is in order. A domain that failed is a problem, and one that
 * lost records, because its sends are refused a day later. A domain that was never verified is only noted while it is looked for.
 */
export function describeDomain(
  { config, timeScale, keys }: Pick<Deps, 'config' | 'timeScale'> & { keys: DerivedKeys | null },
  domain: CheckedDomain,
): Finding | null {
  const { hostname, status, verified_at, failing_since, looking_since } = domain;
  const reportAddress = keys && reportAddressFor({ config, keys }, domain);
  const lacking = lackingRecords(expectedRecords(config, domain, reportAddress), domain.checks);
  if (status === 'verified' && lacking.every(({ check }) => check?.isWeaker)) {
    if (verified_at !== null) return null;
    return note('domains', `The records of ${hostname} are right; the next check verifies it.`);
  }
  const what = lacking.map(
    ({ expected, check }) => `${expected.purpose}: ${check?.hint ?? check?.found ?? 'not looked for yet'}`,
  );
  const remedy = [
    'Publish these records; the server looks for them by itself:',
    ...lacking.map(({ expected }) => lineOf(expected)),
  ].join('\n');
  const say = (text: string) => `${hostname} ${text}: ${what.join('; ').replace(/\.$/, '')}.`;
  const part = 'domains';
  if (status === 'failed')
    return problem(
      part,
      say(verified_at === null ? 'was not verified in time' : 'failed, and its sends are refused'),
      remedy,
    );
  if (verified_at === null) {
    const until = timeScale.after(looking_since, recordWaitsMs.lookFor).toISOString();
    return note(part, say(`is not verified yet, and its records are looked for until ${until}`), remedy);
  }
  const since = failing_since?.toISOString() ?? 'now';
  const isRefused = lacking.some(({ expected }) => sendingPurposes.includes(expected.purpose));
  const end = failing_since && timeScale.after(failing_since, recordWaitsMs.missing).toISOString();
  return problem(
    part,
    say(
      `lacks records since ${since}${isRefused && end ? `, and its sends are refused from ${end} on` : ''}`,
    ),
    remedy,
  );
}

function lackingRecords(expected: ExpectedRecord[], checks: RecordCheck[]) {
  return expected
    .map((record) => ({
      expected: record,
      check: checks.find(({ purpose }) => purpose === record.purpose),
    }))
    .filter(({ check }) => check?.status !== 'verified');
}

function lineOf({ name, type, value, priority }: ExpectedRecord): string {
  return type === 'MX' ? `${name}. MX ${priority} ${value}.` : `${name}. TXT ${quoteText(value)}`;
}
