import type { Decision } from '@postrider/contract/console';
import type { Selectable } from 'kysely';
import type { AuditActor } from '../audit/append-audit.ts';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';

/** An approval as a row. */
export type ApprovalRow = Selectable<Tables['approvals']>;

/** The context in which an approval is read and ended. */
export type ApprovalContext = Pick<Context, 'db' | 'clock' | 'workspaceId' | 'scope'>;

/** A decision of people, and where they made it. */
export interface Decided {
  decision: Decision;
  reason: string | null;
  actor: AuditActor;
  by: 'console' | 'link' | 'command line' | 'management';
  /** The people who decided by a program of theirs, in its words. */
  decidedBy?: string | undefined;
}

/** The ways in which an approval ends. */
export interface ApprovalEnd {
  state: Exclude<ApprovalRow['state'], 'held'>;
  actor: AuditActor;
  reason: string | null;
}

/** Returns the approval of a message, locked so that nothing else ends it; undefined if the message needed none. */
export function lockApproval(tx: ApprovalContext, messageId: string): Promise<ApprovalRow | undefined> {
  return scoped(tx)
    .selectFrom('approvals')
    .selectAll()
    .where('message_id', '=', messageId)
    .forUpdate()
    .executeTakeFirst();
}

/** Records how a locked approval ended. */
export async function closeApproval(
  tx: ApprovalContext,
  { message_id }: ApprovalRow,
  { state, actor, reason }: ApprovalEnd,
): Promise<void> {
  await scoped(tx)
    .updateTable('approvals')
    .set({ state, decided_at: tx.clock.now(), decided_by: actor.id, reason })
    .where('message_id', '=', message_id)
    .execute();
}

/** Returns a query that changes the recipients of a message that are still held. */
export function updateHeld(tx: ApprovalContext, messageId: string) {
  return scoped(tx)
    .updateTable('message_recipients')
    .where('message_id', '=', messageId)
    .where('status', '=', 'held');
}
