import { sql } from 'kysely';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { domainCheckSlots } from '../lib/admission/server-limits.ts';
import { leaseEnd } from '../lib/clock.ts';
import { nothingDue, startLoop } from '../lib/concurrency/worker-loop.ts';
import { checkDomain, checkLease } from './check-domain.ts';
import type { DomainRow } from './find-domain.ts';

const claimedMax = 8;

/**
 * Checks the records of domains when they are due. Any number of processes can run it, and each check is made by one of them. Returns a
 * function that stops it.
 */
export function startDomainWatch(deps: Deps): () => Promise<void> {
  const underway: string[] = [];
  const run = async (domain: DomainRow) => {
    try {
      await checkDomain(deps, domain);
    } finally {
      underway.splice(underway.indexOf(domain.workspace_id), 1);
      loop.wake();
    }
  };
  const loop = startLoop({
    look: async () => {
      const dueInMs = await untilNextMs(deps);
      if (dueInMs > 0) return dueInMs;
      while (underway.length < claimedMax) {
        // A claim begins a lease, so a domain whose check would have to wait for its turn is not claimed yet.
        const full = underway.filter((id) => countEqual(underway, id) >= domainCheckSlots.ofOwner);
        const domain = await claimDue(deps, full);
        if (!domain) break;
        underway.push(domain.workspace_id);
        deps.background.run(run(domain));
      }
      return underway.length < claimedMax ? untilNextMs(deps, deps.clock.now()) : nothingDue;
    },
    onError: (error) => deps.log.error({ err: error }, 'due domains were not claimed'),
    lookAgainMs: deps.lookAgainMs,
    // Ends of checks wake the loop, which must not ask the database without a pause.
    periodMs: (tookMs) => 2 * tookMs,
  });
  const unlisten = deps.wakeups.listenToAll(loop.wake, 'domains');
  return () => {
    unlisten();
    return loop.stop();
  };
}

function countEqual(ids: string[], id: string): number {
  return ids.filter((other) => other === id).length;
}

/** Claims the domain that has been due for longest, except those of workspaces that have their share of checks. */
function claimDue(deps: Deps, exceptOf: string[]): Promise<DomainRow | undefined> {
  const at = deps.clock.now();
  const db = acrossWorkspaces(deps, 'domains of all workspaces are due for a check');
  const due = db
    .selectFrom('domains')
    .select(['workspace_id', 'id'])
    .where('due_at', '<=', at)
    .where('workspace_id', '<>', sql<string>`all(${exceptOf}::text[])`)
    .orderBy('due_at')
    .limit(1)
    .forUpdate()
    .skipLocked();
  return db
    .with('due', () => due)
    .updateTable('domains')
    .from('due')
    .set({ due_at: leaseEnd(deps, checkLease, at), fence: sql`fence + 1` })
    .whereRef('domains.workspace_id', '=', 'due.workspace_id')
    .whereRef('domains.id', '=', 'due.id')
    .returningAll('domains')
    .executeTakeFirst();
}

/** Returns the time in ms until the next check is due, at most 0 if one is; with `after`, of those that are due later. */
async function untilNextMs(deps: Deps, after = new Date(0)): Promise<number> {
  const { at } = await acrossWorkspaces(deps, 'domains of all workspaces are due for a check')
    .selectFrom('domains')
    .select(({ fn }) => fn.min('due_at').as('at'))
    .where('due_at', '>', after)
    .executeTakeFirstOrThrow();
  return at ? at.getTime() - deps.clock.now().getTime() : nothingDue;
}
