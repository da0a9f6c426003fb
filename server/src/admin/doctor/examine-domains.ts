import { type Selectable, sql } from 'kysely';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Tables } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { RecordCheck } from '../../domains/domain.entity.ts';
import type { DomainRow } from '../../domains/find-domain.ts';
import { checkRecords } from '../../domains/records/check-records.ts';
import {
  type ExpectedRecord,
  expectedRecords,
  type PublishedDomain,
} from '../../domains/records/expected-records.ts';
import {
  type DomainState,
  nextState,
  recordWaitsMs,
  sendingPurposes,
} from '../../domains/records/next-state.ts';
import { quoteText } from '../../domains/records/zone-file.ts';
import { reportAddressFor } from '../../domains/reports/find-reported-domain.ts';
import { withinTime } from '../../lib/concurrency/wait.ts';
import type { DerivedKeys } from '../../lib/crypto/primitives.ts';
import { type Finding, note, ok, problem } from './finding.ts';

interface DomainDeps extends Pick<Deps, 'db' | 'config' | 'askZone' | 'clock' | 'timeScale'> {
  /** Resolves to null if they cannot be opened. The records are then shown without an address for DMARC reports. */
  openKeys(): Promise<DerivedKeys | null>;
}
type Row = Omit<Selectable<Tables['domains']>, 'dkim_private_key'>;

const domainsMax = 1_000;
/** Up to this many domains are checked now; of more, the last checks count. */
const freshMax = 20;
const freshMsMax = 9_000;
/** The number of domains with their own finding; beyond it, only the names are listed. */
const shownMax = 20;
const namedMax = 50;

/** Examines the sending domains of all workspaces, those with problems first, and says which records are missing. */
export async function examineDomains(deps: DomainDeps): Promise<Finding[]> {
  const { total, rows } = await readDomains(deps);
  if (total === 0) return [];
  const isFresh = total <= freshMax;
  const keys = await deps.openKeys();
  const checked = await Promise.all(rows.map((row) => (isFresh ? checkNow(deps, row) : row)));
  const findings = checked.map((domain) => ({
    hostname: domain.hostname,
    finding: describeDomain({ ...deps, keys }, domain),
  }));
  const open = findings.filter(({ finding }) => finding !== null);
  const verified = `${rows.length - open.length} of ${rows.length} domains are in order`;
  return [
    ...open.slice(0, shownMax).flatMap(({ finding }) => finding ?? []),
    ...summarize(open.slice(shownMax)),
    ok('domains', isFresh ? verified : `${verified}, by the last checks`),
    ...(total > rows.length
      ? [note('domains', `There are ${total} domains; only the first ${rows.length} were examined.`)]
      : []),
  ];
}

async function readDomains(deps: DomainDeps): Promise<{ total: number; rows: Row[] }> {
  const db = acrossWorkspaces(deps, 'an operator looks after the domains of all workspaces');
  const { total } = await db
    .selectFrom('domains')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('domains')
    .select(['id', 'workspace_id', 'hostname', 'kind', 'status', 'dmarc_policy', 'ownership_token'])
    .select(['dkim_selector', 'dkim_public_key', 'checks', 'checked_at', 'due_at', 'fence', 'looking_since'])
    .select(['failing_since', 'verified_at', 'created_at', 'actor_id', 'request_id'])
    .orderBy(sql`case status when 'failed' then 0 when 'verified' then 2 else 1 end`)
    .orderBy('hostname')
    .orderBy('id')
    .limit(domainsMax)
    .execute();
  return { total, rows };
}

/** Returns the state that a check would give the domain now, or its last one if DNS takes too long. Nothing is stored. */
async function checkNow(deps: DomainDeps, row: Row): Promise<CheckedDomain> {
  const at = deps.clock.now();
  const checks = await withinTime(checkRecords(deps, row, at), freshMsMax, null);
  if (checks === null) return row;
  const state = nextState(row, checks, at, deps.timeScale);
  // Only a check that is stored can find out whether another workspace has the name.
  return { ...row, ...state, verified_at: row.verified_at };
}

function summarize(rest: { hostname: string; finding: Finding | null }[]): Finding[] {
  const states = [
    { state: 'problem', create: problem, text: 'more domains have problems' },
    { state: 'note', create: note, text: 'more domains are not verified yet' },
  ] as const;
  return states.flatMap(({ state, create, text }) => {
    const names = rest.filter(({ finding }) => finding?.state === state).map(({ hostname }) => hostname);
    if (names.length === 0) return [];
    const left = names.length > namedMax ? `, and ${names.length - namedMax} others` : '';
    return [
      create(
        'domains',
        `${names.length} ${text}: ${names.slice(0, namedMax).join(', ')}${left}.`,
        '"domains show <hostname>" shows the records of each.',
      ),
    ];
  });
}

/** A domain with its state after a check. */
type CheckedDomain = PublishedDomain &
  Pick<DomainRow, 'workspace_id' | 'id'> &
  Pick<DomainState, 'status' | 'checks' | 'failing_since' | 'looking_since' | 'verified_at'>;

/**
 * Returns the problems of a domain, with the records to publish; null if there are none. A failed domain is a problem, and so is one that
 * lost records, because its sends are refused a day later. A domain that was never verified is only noted while the server looks for its
 * records.
 */
function describeDomain(
  { config, timeScale, keys }: Pick<Deps, 'config' | 'timeScale'> & { keys: DerivedKeys | null },
  domain: CheckedDomain,
): Finding | null {
  const { hostname, status, verified_at, failing_since, looking_since } = domain;
  const reportAddress = keys && reportAddressFor({ config, keys }, domain);
  const lacking = lackingRecords(expectedRecords(config, domain, reportAddress), domain.checks);
  if (status === 'verified' && lacking.every(({ check }) => check?.isWeaker)) {
    if (verified_at !== null) return null;
    return note('domains', `The records of ${hostname} are correct; the next check will verify the domain.`);
  }
  const what = lacking.map(
    ({ expected, check }) => `${expected.purpose}: ${check?.hint ?? check?.found ?? 'not checked yet'}`,
  );
  const remedy = [
    'Publish these records; the server checks for them automatically:',
    ...lacking.map(({ expected }) => writeLine(expected)),
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
    return note(part, say(`is not verified yet; the server checks its records until ${until}`), remedy);
  }
  const since = failing_since?.toISOString() ?? 'now';
  const isRefused = lacking.some(({ expected }) => sendingPurposes.includes(expected.purpose));
  const end = failing_since && timeScale.after(failing_since, recordWaitsMs.missing).toISOString();
  return problem(
    part,
    say(
      `has lacked records since ${since}${isRefused && end ? `, and its sends are refused from ${end} on` : ''}`,
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

function writeLine({ name, type, value, priority }: ExpectedRecord): string {
  return type === 'MX' ? `${name}. MX ${priority} ${value}.` : `${name}. TXT ${quoteText(value)}`;
}
