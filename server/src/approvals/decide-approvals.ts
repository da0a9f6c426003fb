/*
 * A decision names the hash of what was shown. It counts once: the approval is locked, is still held, and the stored content is what was
 * shown. The transaction that approves a message also makes its recipients due, so a crash leaves both or neither. It shares the lock of
 * sends, so the policies of that moment apply, and a change of them waits for it (`policies/change-sending.ts`).
 */
import type { DecisionProblem, DecisionResult } from '@postrider/contract/console';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { scoped } from '../db/scoped.ts';
import { isApiError } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { lockMessage } from '../messages/find-message.ts';
import { contentHash, findOriginal } from '../messages/originals.ts';
import { type ApprovalRow, type Decided, lockApproval } from './approval.ts';
import { type ApproveContext, approveHeld } from './approve-held.ts';
import { rejectHeld } from './reject-held.ts';

/** The context of a decision. */
type DecideContext = ApproveContext & Pick<Context, 'wakeups' | 'files'>;

/** A held message, as it was shown. `content_hash` is in hex. */
export interface ShownMessage {
  message_id: string;
  content_hash: string;
}

/**
 * Approves or refuses messages, each in its own transaction. An approved message is sent at once, or after the pause if sending is paused.
 * Returns the result of each; a decision that does not count changes nothing.
 */
export async function decideApprovals(
  ctx: DecideContext,
  messages: ShownMessage[],
  decided: Decided,
): Promise<DecisionResult[]> {
  const results: DecisionResult[] = [];
  for (const message of messages) results.push(await decide(ctx, message, decided));
  if (results.some(({ problem }) => problem === null)) {
    ctx.wakeups.wake(ctx.workspaceId);
    ctx.wakeups.wake(ctx.workspaceId, 'deliveries');
  }
  return results;
}

async function decide(
  ctx: DecideContext,
  { message_id, content_hash }: ShownMessage,
  decided: Decided,
): Promise<DecisionResult> {
  const notFound: DecisionResult = { message_id, problem: 'not_found', state: null, left_out: [] };
  if (!isId('msg', message_id)) return notFound;
  // A transaction waits for no file, and the bytes of a message never change.
  const stored = decided.decision === 'approve' ? await hashStored(ctx, message_id) : null;
  const hashes = [Buffer.from(content_hash, 'hex'), ...(stored ? [stored] : [])];
  try {
    return await inTransaction(ctx, async (tx): Promise<DecisionResult> => {
      for (const place of ['', tx.workspaceId])
        await sql`select lock_sending(${place}, false)`.execute(tx.db);
      const message = await lockMessage(tx, message_id, 'message_id');
      const approval = await lockApproval(tx, message_id);
      const problem = findProblem(tx, approval, hashes);
      if (!approval || problem) return { message_id, problem, state: approval?.state ?? null, left_out: [] };
      if (decided.decision === 'approve') {
        const left_out = await approveHeld(tx, approval, message, decided);
        return { message_id, problem, state: 'approved', left_out };
      }
      await rejectHeld(tx, approval, message, { state: 'refused', ...decided });
      return { message_id, problem, state: 'refused', left_out: [] };
    });
  } catch (error) {
    if (!isApiError(error, 'not_found')) throw error;
    return notFound;
  }
}

/** Returns why nothing can be decided about an approval; null if it is held and has all these hashes. */
function findProblem(
  { clock }: DecideContext,
  approval: ApprovalRow | undefined,
  hashes: Buffer[],
): DecisionProblem | null {
  if (!approval) return 'not_found';
  if (approval.state === 'expired') return 'expired';
  if (approval.state !== 'held') return 'decided';
  if (approval.expires_at <= clock.now()) return 'expired';
  return hashes.every((hash) => hash.equals(approval.content_hash)) ? null : 'changed';
}

/** Returns the hash of the stored content that would be sent; an empty one if it is lost. */
async function hashStored(ctx: DecideContext, messageId: string): Promise<Buffer | null> {
  const recipients = await scoped(ctx)
    .selectFrom('message_recipients')
    .select(['inbox_id', 'address', 'kind'])
    .where('message_id', '=', messageId)
    .execute();
  const [first] = recipients;
  if (!first) return null;
  const key = { workspace_id: ctx.workspaceId, inbox_id: first.inbox_id, id: messageId };
  const raw = await findOriginal(ctx, key);
  return raw ? contentHash(raw, recipients) : Buffer.alloc(0);
}
