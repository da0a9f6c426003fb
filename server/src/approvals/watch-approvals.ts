import { sql } from 'kysely';
import { serverItself } from '../audit/append-audit.ts';
import { inTransaction } from '../db/connections.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { nothingDue, startLoop } from '../lib/concurrency/worker-loop.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { liveMessages } from '../messages/find-message.ts';
import { announceHeld, gatherMs, mailEveryMs } from './announce-held.ts';
import { closeApproval } from './approval.ts';
import { rejectHeld } from './reject-held.ts';

/**
 * Tells people about held messages, and rejects those that nobody decided about in time. Any number of processes may do this. Returns a
 * function that stops it.
 */
export function startApprovalWatch(deps: Deps): () => Promise<void> {
  const loop = startLoop({
    look: async () => {
      const { expires_at, announce_at } = await readHeld(deps);
      const now = deps.clock.now();
      const isDue = (at: Date | null) => at !== null && at <= now;
      if (isDue(expires_at)) await expireApprovals(deps);
      if (isDue(announce_at)) await announceHeld(deps);
      if (isDue(expires_at) || isDue(announce_at)) return 0;
      const nextMs = Math.min(...[expires_at, announce_at].map((at) => at?.getTime() ?? nothingDue));
      return nextMs - now.getTime();
    },
    onError: (error) => deps.log.error({ err: error }, 'held messages were not looked after'),
    lookAgainMs: deps.lookAgainMs,
    periodMs: (tookMs) => 2 * tookMs,
  });
  const unlisten = deps.wakeups.listenToAll(loop.wake, 'control');
  return () => {
    unlisten();
    return loop.stop();
  };
}

interface Held {
  /** The time at which the next held message expires. */
  expires_at: Date | null;
  /** The time at which people are notified about messages that they do not know about yet. */
  announce_at: Date | null;
}

async function readHeld(deps: Pick<Deps, 'db' | 'timeScale' | 'address'>): Promise<Held> {
  const seconds = (ms: number) => sql`make_interval(secs => ${deps.timeScale.scaleMs(ms) / 1_000})`;
  const canTell = deps.address.publicUrl !== '';
  const { rows } = await sql<Held>`
    with held as (select workspace_id, min(expires_at) as expires_at,
        min(held_at) filter (where notified_at is null and ${canTell}) as untold_at
      from approvals where state = 'held' group by workspace_id)
    select min(expires_at) as expires_at, min(case when untold_at is not null then greatest(
        untold_at + ${seconds(gatherMs)},
        (select max(notified_at) from approvals told where told.workspace_id = held.workspace_id) + ${seconds(mailEveryMs)})
      end) as announce_at from held`.execute(acrossWorkspaces(deps, 'messages are held in all workspaces'));
  return rows[0] as Held;
}

type ExpireDeps = Pick<Deps, 'db' | 'clock' | 'wakeups'>;

/**
 * Rejects the held messages that nobody decided on in time, each in its own transaction. Any number of processes can do this at once. A
 * message that is deleted but still has its rows is closed without an event.
 */
export async function expireApprovals(deps: ExpireDeps): Promise<void> {
  for (;;) {
    const workspaceId = await expireNext(deps);
    if (workspaceId === null) return;
    deps.wakeups.wake(workspaceId);
  }
}

/** Returns the workspace of the approval that expired; null if none is due. */
function expireNext(deps: ExpireDeps): Promise<string | null> {
  return inTransaction(deps, async (tx) => {
    const approval = await acrossWorkspaces(tx, 'approvals expire in all workspaces')
      .selectFrom('approvals')
      .selectAll()
      .where('state', '=', 'held')
      .where('expires_at', '<=', tx.clock.now())
      .orderBy('expires_at')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!approval) return null;
    const own = { ...tx, workspaceId: approval.workspace_id, scope: wholeWorkspace };
    const message = await liveMessages(own)
      .select(['messages.id', 'inbox_id', 'messages.thread_id'])
      .where('messages.id', '=', approval.message_id)
      .executeTakeFirst();
    const expired = { state: 'expired' as const, actor: serverItself, reason: null };
    if (message) await rejectHeld(own, approval, message, expired);
    else await closeApproval(own, approval, expired);
    return approval.workspace_id;
  });
}
