import { type AuditActor, appendAudit } from '../audit/append-audit.ts';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { type EventSubject, recordEvents } from '../events/record-events.ts';
import { hex } from '../lib/crypto/bytes.ts';
import { newId } from '../lib/ids.ts';
import type { ApprovalRow } from './decision.ts';

type Tx = Pick<Context, 'db' | 'clock' | 'workspaceId' | 'scope'>;

/** How an approval ends without the message being sent. */
export interface Rejection {
  state: 'refused' | 'expired';
  reason: string | null;
  actor: AuditActor;
  by?: string;
}

/** The reasons that the sender reads if people gave none. */
const reasons: Record<Rejection['state'], string> = {
  refused: 'people refused it and gave no reason',
  expired: 'nobody approved it within 72 hours',
};

/** Rejects a held message, whose approval is locked: all its recipients with the reason, and one event. */
export async function rejectHeld(
  tx: Tx,
  approval: ApprovalRow,
  message: EventSubject,
  { state, reason, actor, by }: Rejection,
): Promise<void> {
  const at = tx.clock.now();
  const detail = `not_approved: ${reason ?? reasons[state]}`;
  await scoped(tx)
    .updateTable('message_recipients')
    .set({ status: 'rejected', detail, updated_at: at })
    .where('message_id', '=', message.id)
    .where('status', '=', 'held')
    .execute();
  const rejected = { id: newId('evt', at), event: 'message.rejected' as const };
  await recordEvents(tx, message, [{ ...rejected, extra: { recipient: null, reason: detail } }]);
  await closeApproval(tx, approval, { state, actor, reason });
  await appendAudit(tx, tx.workspaceId, actor, {
    action: `approval.${state}`,
    target: message.id,
    after: {
      ...(by && { by }),
      content_hash: hex(approval.content_hash),
      ...(reason !== null && { reason }),
    },
  });
}

/** Records how an approval ended. */
export async function closeApproval(
  tx: Tx,
  { message_id }: ApprovalRow,
  {
    state,
    actor,
    reason,
  }: { state: 'approved' | Rejection['state']; actor: AuditActor; reason: string | null },
): Promise<void> {
  await scoped(tx)
    .updateTable('approvals')
    .set({ state, decided_at: tx.clock.now(), decided_by: actor.id, reason })
    .where('message_id', '=', message_id)
    .execute();
}
