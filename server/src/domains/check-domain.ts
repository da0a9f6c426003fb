import { sql } from 'kysely';
import { appendAudit, serverItself } from '../audit/append-audit.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { jobNames } from '../jobs/job-names.ts';
import { domainCheckSlots } from '../lib/admission/server-limits.ts';
import { type Patience, Slots } from '../lib/admission/slots.ts';
import { unavailable } from '../lib/api-error.ts';
import { type LeaseLength, leaseEnd } from '../lib/clock.ts';
import { createSingleFlight } from '../lib/concurrency/single-flight.ts';
import { isReadable } from '../lib/crypto/primitives.ts';
import { perServer } from '../lib/memory.ts';
import { claimHostname, lockHostname } from './claim-hostname.ts';
import { makeDomainKey } from './domain-key.ts';
import { type DomainRow, getDomain } from './find-domain.ts';
import { checkRecords } from './records/check-records.ts';
import { type DomainState, nextState } from './records/next-state.ts';
import { withSesState } from './register-at-ses.ts';

/** Longer than the longest check with its wait for a turn. A check that ends later changes nothing. */
export const checkLease: LeaseLength = { ms: 120_000, leastMs: 30_000 };

const checkSlots = perServer(() => new Slots(domainCheckSlots));

/**
 * Checks the records of a domain and stores the result, unless another check or a change of the domain began meanwhile. `domain` is the row
 * with the fence of this check. With `patience`, rejects if its turn does not come in time.
 */
export async function checkDomain(deps: Deps, checked: DomainRow, patience?: Patience): Promise<void> {
  const at = deps.clock.now();
  const domain = await withReadableKey(deps, checked);
  const look = () => checkRecords(deps, domain, at);
  const found = await checkSlots(deps).run(domain.workspace_id, look, patience);
  const checks = await withSesState(deps, domain, found);
  const state = nextState(domain, checks, at, deps.timeScale);
  const stored = await inTransaction(deps, (tx) => store({ ...deps, ...tx }, domain, state, at));
  if (stored && domain.kind === 'subdomain' && hasLostRecords(domain, stored))
    await deps.queue.enqueue(deps, jobNames.publishSubdomain, {
      workspaceId: domain.workspace_id,
      domainId: domain.id,
    });
  if (stored && stored.status !== domain.status)
    deps.log.info(
      { domainId: domain.id, hostname: domain.hostname, before: domain.status, status: stored.status },
      'the status of a domain changed',
    );
}

/** Returns whether records of a subdomain are to be published anew: they were lost with this check, or not found for 72 hours. */
function hasLostRecords(before: DomainState, after: DomainState): boolean {
  if (before.verified_at === null) return before.status !== 'failed' && after.status === 'failed';
  const isFine = ({ checks }: DomainState) => checks.every(({ status }) => status === 'verified');
  return isFine(before) && !isFine(after);
}

/** Gives a domain a new key if its own was encrypted with another root secret. The check then finds that the record is to be changed. */
async function withReadableKey(deps: Deps, domain: DomainRow): Promise<DomainRow> {
  if (isReadable(deps.keys, domain.dkim_private_key)) return domain;
  const key = await makeDomainKey(deps, { workspaceId: domain.workspace_id, domainId: domain.id });
  await scoped({ db: deps.db, workspaceId: domain.workspace_id })
    .updateTable('domains')
    .set(key)
    .where('id', '=', domain.id)
    .where('dkim_private_key', '=', domain.dkim_private_key)
    .execute();
  deps.log.warn(
    { hostname: domain.hostname },
    'a domain has a new DKIM key, since the root secret is another',
  );
  return getDomain({ db: deps.db, workspaceId: domain.workspace_id }, domain.id);
}

/**
 * Stores the state of a domain and returns it, or null if another check or change came first. A domain that becomes verified claims its
 * name.
 */
async function store(
  tx: Pick<Deps, 'db' | 'clock'>,
  domain: DomainRow,
  state: DomainState,
  at: Date,
): Promise<DomainState | null> {
  const ctx = { db: tx.db, workspaceId: domain.workspace_id };
  const isNew = state.status === 'verified' && domain.status !== 'verified';
  if (isNew) await lockHostname(ctx, domain.hostname);
  const current = await scoped(ctx)
    .selectFrom('domains')
    .select('id')
    .where('id', '=', domain.id)
    .where('fence', '=', domain.fence)
    .forUpdate()
    .executeTakeFirst();
  if (!current) return null;
  const next = isNew && !(await claimHostname(ctx, domain)) ? ownedElsewhere(state) : state;
  await scoped(ctx)
    .updateTable('domains')
    .set({ ...next, checks: JSON.stringify(next.checks) as never, checked_at: at })
    .where('id', '=', domain.id)
    .execute();
  const { hostname, status } = domain;
  if (next.status !== status)
    await appendAudit(tx, domain.workspace_id, serverItself, {
      action: 'domain.status_changed',
      target: domain.id,
      before: { hostname, status },
      after: { hostname, status: next.status },
    });
  return next;
}

/** Returns the state of a domain whose records are right, and which another workspace proves to own as well. */
function ownedElsewhere(state: DomainState): DomainState {
  const hint = 'right, but another workspace has verified this domain or one above it';
  const [first] = state.checks;
  return {
    ...state,
    status: 'failed',
    verified_at: null,
    checks: state.checks.map((check) => (check === first ? { ...check, status: 'failed', hint } : check)),
  };
}

/** The time for which a check waits for the checks of other domains. */
const turnWaitMs = 20_000;

const singleFlight = perServer(() => createSingleFlight<void>());

/**
 * Checks the records of a domain now and returns it with the result. For a domain whose check was given up, the 72 hours start again.
 *
 * @throws ApiError `not_found`, `unavailable` if checks of other domains take too long.
 */
export async function verifyDomain(ctx: Context, id: string): Promise<DomainRow> {
  await getDomain(ctx, id);
  await singleFlight(ctx)(id, () => begin(ctx, id));
  return getDomain(ctx, id);
}

async function begin(ctx: Context, id: string): Promise<void> {
  const domain = await scoped(ctx)
    .updateTable('domains')
    .set((of) => ({
      fence: sql`fence + 1`,
      // A worker that began a check now would make this one come too late.
      due_at: leaseEnd(ctx, checkLease, ctx.clock.now()),
      looking_since: of
        .case()
        .when('verified_at', 'is', null)
        .then(ctx.clock.now())
        .else(of.ref('looking_since'))
        .end(),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (domain) await checkDomain(ctx, domain, { waitMs: turnWaitMs, refusal: () => unavailable() });
}
