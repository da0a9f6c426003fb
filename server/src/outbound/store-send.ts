import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import type { MessageRecord, SendOutcome } from '../messages/store/message-record.ts';
import { storeMessage, storeWithin, storeWithOriginal } from '../messages/store/store-message.ts';

/** A draft, as it was read. It can become one message only. */
export interface DraftClaim {
  id: string;
  version: number;
  /** The time for which it was scheduled, if that has come; null if it is sent before. */
  scheduledAt: Date | null;
  /** Called once it has become a message, which may be long before the message has an outcome. */
  onStored?(): void;
}

/** Thrown if a draft was changed, deleted or sent by another request meanwhile. */
export class ClaimLost extends Error {
  override name = 'ClaimLost' as const;
}

/** The outcome of storing a message. With `claim_lost`, the draft was no longer as it was read. */
export type StoredSend = SendOutcome | { outcome: 'claim_lost' };

/** Stores a message with its original, and with the claim of the draft that becomes it. */
export function storeSend(
  ctx: Context,
  { record, raw }: { record: MessageRecord; raw: Buffer },
  draft: DraftClaim | undefined,
): Promise<StoredSend> {
  return storeWithOriginal(
    ctx,
    raw,
    record,
    (original): Promise<StoredSend> =>
      draft ? storeDraft(ctx, record, original, draft) : storeMessage(ctx, record, original),
  );
}

/** Stores a message and claims its draft in one transaction, so that a crash leaves both done or neither. */
async function storeDraft(
  ctx: Context,
  record: MessageRecord,
  original: Buffer | null,
  draft: DraftClaim,
): Promise<StoredSend> {
  try {
    const stored = await inTransaction(ctx, async (tx) => {
      // In the order of those who change what may be sent and then the draft, as the revocation of a key does with its drafts.
      await sql`select lock_sending('', false), lock_sending(${ctx.workspaceId}, false)`.execute(tx.db);
      // The claim comes next, so that a second request waits for this row and holds no other lock.
      if (!(await claimDraft(tx, draft, record.message.id))) throw new NotStored({ outcome: 'claim_lost' });
      const outcome = await storeWithin(tx, record, original);
      if (outcome.outcome !== 'stored') throw new NotStored(outcome);
      return outcome;
    });
    ctx.wakeups.wake(ctx.workspaceId);
    draft.onStored?.();
    return stored;
  } catch (error) {
    if (error instanceof NotStored) return error.outcome;
    throw error;
  }
}

/** Claims a draft in the version that was read. Any change or send meanwhile has raised the version. */
async function claimDraft(
  tx: Context,
  { id, version, scheduledAt }: DraftClaim,
  messageId: string,
): Promise<boolean> {
  const claimed = await scoped(tx)
    .updateTable('drafts')
    .set({
      message_id: messageId,
      version: version + 1,
      scheduled_at: scheduledAt,
      due_at: null,
      failure: null,
      updated_at: tx.clock.now(),
    })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Rolls the transaction back and says why. */
class NotStored extends Error {
  readonly outcome: StoredSend;

  constructor(outcome: StoredSend) {
    super(outcome.outcome);
    this.outcome = outcome;
  }
}
