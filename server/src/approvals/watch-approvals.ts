import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { startLoop } from '../lib/concurrency/worker-loop.ts';
import { announceHeld } from './announce-held.ts';
import { expireApprovals, untilNextExpiryMs } from './expire-approvals.ts';

const lookAgainMs = 1_000;
const restMsMin = 20;

/**
 * Tells people about held messages, and rejects those that nobody decided about in time. Any number of processes may do this. Returns a
 * function that stops it.
 */
export function startApprovalWatch(deps: Deps): () => Promise<void> {
  const retryMs = deps.timeScale.scaleMs(lookAgainMs);
  const loop = startLoop({
    look: async () => {
      await expireApprovals(deps);
      await announceHeld(deps);
      deps.metrics.approvalsHeld.set(await countHeld(deps));
      return Math.max(restMsMin, Math.min(retryMs, await untilNextExpiryMs(deps)));
    },
    onError: (error) => deps.log.error({ err: error }, 'held messages were not looked after'),
    retryMs,
    periodMs: (tookMs) => 2 * tookMs,
  });
  return loop.stop;
}

async function countHeld(deps: Pick<Deps, 'db'>): Promise<number> {
  const { count } = await acrossWorkspaces(deps, 'a metric of the whole server')
    .selectFrom('approvals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'held')
    .executeTakeFirstOrThrow();
  return count;
}
