import { sql } from 'kysely';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { startLoop } from '../lib/concurrency/worker-loop.ts';
import { leaseEnd } from '../lib/lease.ts';
import { checkDomain, checkLease } from './check-domain.ts';
import type { DomainRow } from './find-domain.ts';

const lookEveryMs = 2_000;
const claimedMax = 8;

/**
 * Checks the records of domains when they are due. Any number of processes may run it, and each check is made by one of them. Returns a
 * function that stops it.
 */
export function startDomainWatch(deps: Deps): () => Promise<void> {
  let underway = 0;
  const run = async (domain: DomainRow) => {
    underway += 1;
    try {
      await checkDomain(deps, domain);
    } finally {
      underway -= 1;
      loop.wake();
    }
  };
  const loop = startLoop({
    look: async () => {
      if (underway < claimedMax)
        for (const domain of await claimDue(deps, claimedMax - underway)) deps.background.run(run(domain));
      return deps.timeScale.scaleMs(lookEveryMs);
    },
    onError: (error) => deps.log.error({ err: error }, 'due domains were not claimed'),
    retryMs: lookEveryMs,
    // Ends of checks wake the loop, which must not ask the database without a pause.
    periodMs: (tookMs) => 2 * tookMs,
  });
  const unlisten = deps.wakeups.listenToAll(loop.wake, 'domains');
  return () => {
    unlisten();
    return loop.stop();
  };
}

function claimDue(deps: Deps, limit: number): Promise<DomainRow[]> {
  const at = deps.clock.now();
  const db = acrossWorkspaces(deps, 'domains of all workspaces are due for a check');
  const due = db
    .selectFrom('domains')
    .select(['workspace_id', 'id'])
    .where('due_at', '<=', at)
    .orderBy('due_at')
    .limit(limit)
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
    .execute();
}
