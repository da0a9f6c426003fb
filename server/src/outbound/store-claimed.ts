import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import type { MessageRecord, SendOutcome } from '../messages/store/message-record.ts';
import { storeWithin } from '../messages/store/store-message.ts';

/** Something that can become one message only, such as a draft. */
export interface Claim {
  /** Claims it in the transaction that stores the message. Returns false if it was changed or sent since it was read. */
  take(tx: { db: Db }, messageId: string): Promise<boolean>;
  /** Called once that transaction has committed. */
  taken?(): void;
}

/** Thrown if the source was changed, deleted or sent by another request meanwhile. */
export class ClaimLost extends Error {
  override name = 'ClaimLost' as const;
}

/** Rolls the transaction back and says why. */
class NotStored extends Error {
  readonly outcome: ClaimedOutcome;

  constructor(outcome: ClaimedOutcome) {
    super(outcome.outcome);
    this.outcome = outcome;
  }
}

/** The outcome of storing a message with its claim. */
export type ClaimedOutcome = SendOutcome | { outcome: 'claim_lost' };

/** Stores a message and claims its source in one transaction, so that a crash leaves both done or neither. */
export async function storeClaimed(
  ctx: Pick<Context, 'db' | 'wakeups' | 'workspaceId'>,
  record: MessageRecord,
  original: Buffer | null,
  claim: Claim,
): Promise<ClaimedOutcome> {
  try {
    const stored = await inTransaction(ctx, async (tx) => {
      // In the order of those who change what may be sent and then the source, as the revocation of a key does with its drafts.
      await sql`select lock_sending('', false), lock_sending(${ctx.workspaceId}, false)`.execute(tx.db);
      // The claim comes next, so that a second request waits for this row and holds no other lock.
      if (!(await claim.take(tx, record.message.id))) throw new NotStored({ outcome: 'claim_lost' });
      const outcome = await storeWithin(tx, record, original);
      if (outcome.outcome !== 'stored') throw new NotStored(outcome);
      return outcome;
    });
    ctx.wakeups.wake(ctx.workspaceId);
    claim.taken?.();
    return stored;
  } catch (error) {
    if (error instanceof NotStored) return error.outcome;
    throw error;
  }
}
