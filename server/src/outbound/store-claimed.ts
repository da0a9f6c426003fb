import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import type { MessageRecord, StoreOutcome } from '../messages/store/message-record.ts';
import { storeWithin } from '../messages/store/store-message.ts';

/** Something that can become one message only, such as a draft. */
export interface Claim {
  /** Takes it in the transaction that stores the message; false when it has changed or become a message since it was read. */
  take(tx: { db: Db }, messageId: string): Promise<boolean>;
  /** Called once that transaction has committed. */
  taken?(): void;
}

/** Thrown when what was to be sent was changed, deleted or sent by somebody else meanwhile. */
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

type ClaimedOutcome = StoreOutcome | { outcome: 'claim_lost' };

/** Stores a message and takes what it is made of in one transaction, so that both are done or neither is, also after a crash. */
export const storeClaimed = async (
  ctx: Pick<Context, 'db' | 'wakeups' | 'workspaceId'>,
  record: MessageRecord,
  original: Buffer | null,
  claim: Claim,
): Promise<ClaimedOutcome> => {
  try {
    const stored = await inTransaction(ctx, async (tx) => {
      // First, since who comes second then waits at one row and nowhere else.
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
};
