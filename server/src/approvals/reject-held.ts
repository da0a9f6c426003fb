import { appendAudit } from '../audit/append-audit.ts';
import { type EventSubject, recordEvents } from '../events/write-log.ts';
import { hex } from '../lib/crypto/primitives.ts';
import { newId } from '../lib/ids.ts';
import {
  type ApprovalContext,
  type ApprovalEnd,
  type ApprovalRow,
  closeApproval,
  updateHeld,
} from './approval.ts';

/** The ways in which an approval ends without the message being sent. */
type Rejection = ApprovalEnd & { state: 'refused' | 'expired'; by?: string; decidedBy?: string | undefined };

/** The reasons that the sender reads if people gave none. */
const reasons: Record<Rejection['state'], string> = {
  refused: 'people refused it without giving a reason',
  expired: 'nobody approved it within 72 hours',
};

/** Rejects a held message, whose approval is locked: all its recipients with the reason, and one event. */
export async function rejectHeld(
  tx: ApprovalContext,
  approval: ApprovalRow,
  message: EventSubject,
  { state, reason, actor, by, decidedBy }: Rejection,
): Promise<void> {
  const at = tx.clock.now();
  const detail = `not_approved: ${reason ?? reasons[state]}`;
  await updateHeld(tx, message.id).set({ status: 'rejected', detail, updated_at: at }).execute();
  const rejected = { id: newId('evt', at), event: 'message.rejected' as const };
  await recordEvents(tx, message, [{ ...rejected, extra: { recipient: null, reason: detail } }]);
  await closeApproval(tx, approval, { state, actor, reason });
  await appendAudit(tx, tx.workspaceId, actor, {
    action: `approval.${state}`,
    target: message.id,
    after: {
      ...(by && { by }),
      ...(decidedBy !== undefined && { decided_by: decidedBy }),
      content_hash: hex(approval.content_hash),
      ...(reason !== null && { reason }),
    },
  });
}
