import { serverItself } from '../audit/append-audit.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { liveMessages } from '../messages/find-message.ts';
import { closeApproval, rejectHeld } from './reject-held.ts';

type ExpireDeps = Pick<Deps, 'db' | 'clock' | 'wakeups'>;

/**
 * Rejects the held messages that nobody decided about in time, each in a transaction of its own. Any number of processes may do this at
 * once. A message that is deleted and still has its rows is closed without an event.
 */
export async function expireApprovals(deps: ExpireDeps): Promise<void> {
  for (;;) {
    const workspaceId = await expireOne(deps);
    if (workspaceId === null) return;
    deps.wakeups.wake(workspaceId);
  }
}

/** Returns the workspace of the approval that expired; null if none is due. */
function expireOne(deps: ExpireDeps): Promise<string | null> {
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
