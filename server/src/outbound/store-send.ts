import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { scoped } from '../db/scoped.ts';
import type { MessageRecord, StoreOutcome } from '../messages/store/message-record.ts';
import {
  createStore,
  readOutcome,
  type StoreCall,
  storeCall,
  storeWithOriginal,
} from '../messages/store/store-message.ts';
import type { Counted, NearCap } from '../policies/caps.ts';

/** A draft as it was read. It can become only one message. */
export interface DraftClaim {
  id: string;
  version: number;
  /** The time for which it was scheduled, if that time has come; null if it is sent before. */
  scheduledAt: Date | null;
  /** Called once it has become a message, which may be long before the message has an outcome. */
  onStored?(): void;
}

/** Thrown if a draft was changed, deleted or sent by another request meanwhile. */
export class ClaimLost extends Error {
  override name = 'ClaimLost' as const;
}

/** A message that is sent, with the settings by which it was decided. */
export interface SendRecord extends MessageRecord {
  /** The version of what people allow to be sent. */
  sendingVersion: string;
  /** The mails that are counted for the caps of policies. */
  counted: Counted | null;
  /** The caps that it is close to. */
  nearCaps: NearCap[];
  /** The approval that a held message waits for. */
  approval?: { hash: Buffer; expiresAt: Date };
}

/**
 * The outcome of storing a send. Nothing is stored for `undecided`, because people have changed what can be sent or a cap was reached, or
 * for `claim_lost`, because the draft has changed since it was read.
 */
export type StoredSend = StoreOutcome | { outcome: 'undecided' } | { outcome: 'claim_lost' };

/** Stores a message with its original, and with the claim of the draft that becomes it. Wake-ups are sent once it has committed. */
export async function storeSend(
  ctx: Context,
  { record, raw }: { record: SendRecord; raw: Buffer },
  draft: DraftClaim | undefined,
): Promise<StoredSend> {
  const stored = await storeWithOriginal(ctx, raw, record, async (original): Promise<StoredSend> => {
    const call = sendCall(record, original);
    return draft ? storeWithClaim(ctx, call, draft) : readOutcome(await store(ctx, call));
  });
  if (stored.outcome !== 'stored') return stored;
  ctx.wakeups.wake(ctx.workspaceId);
  draft?.onStored?.();
  return stored;
}

const store = createStore('store_sends');

/** Creates the call of `store_sends` for a record. */
export function sendCall(record: SendRecord, original: Buffer | null): StoreCall {
  const { sendingVersion, counted, nearCaps, approval } = record;
  return storeCall(record, original, {
    sending_version: sendingVersion,
    ...(counted && { counted }),
    ...(nearCaps.length > 0 && { near_caps: nearCaps }),
    ...(approval && { approval: { hash: approval.hash.toString('hex'), expires_at: approval.expiresAt } }),
  });
}

/** Stores a message and claims its draft in one transaction, so that a crash leaves both done or neither. */
async function storeWithClaim(ctx: Context, call: StoreCall, draft: DraftClaim): Promise<StoredSend> {
  try {
    return await inTransaction(ctx, async (tx) => {
      // In the same order as callers that change what can be sent and then the draft, such as the revocation of a key.
      await sql`select lock_sending('', false), lock_sending(${ctx.workspaceId}, false)`.execute(tx.db);
      // The claim comes next, so that a second request waits for this row and holds no other lock.
      if (!(await claimDraft(tx, draft, call.message.id))) throw new NotStored({ outcome: 'claim_lost' });
      const stored = readOutcome(await store(tx, call));
      if (stored.outcome !== 'stored') throw new NotStored(stored);
      return stored;
    });
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
