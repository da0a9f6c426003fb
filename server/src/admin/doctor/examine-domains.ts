import { type Selectable, sql } from 'kysely';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Tables } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { checkRecords } from '../../domains/records/check-records.ts';
import { nextState } from '../../domains/records/next-state.ts';
import { withinTime } from '../../lib/concurrency/wait.ts';
import type { DerivedKeys } from '../../lib/crypto/secrets.ts';
import { type CheckedDomain, describeDomain } from './describe-domain.ts';
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
/** As many domains get a finding of their own; of more, only the names are listed. */
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
    ok('domains', isFresh ? verified : `${verified}, by their last checks`),
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
