import { isRefusedData } from '../db/database-errors.ts';
import type { Deps } from '../deps.ts';
import type { MessageRecord, StoreOutcome } from '../messages/store/message-record.ts';
import { storeMessage } from '../messages/store/store-message.ts';
import { withoutTexts } from '../parsing/inbound-record.ts';

/** Stores a received mail. Texts that the database refuses are left out, because the original has them. */
export async function storeInbound(
  ctx: Pick<Deps, 'db' | 'memory' | 'wakeups' | 'log'> & { workspaceId: string },
  record: MessageRecord,
  original: Buffer | null,
): Promise<StoreOutcome> {
  try {
    return await storeMessage(ctx, record, original);
  } catch (error) {
    if (!isRefusedData(error)) throw error;
    ctx.log.warn(
      { err: error, messageId: record.message.id },
      'the database refused the texts of a mail, so it was stored without them',
    );
    return storeMessage(ctx, withoutTexts(record), original);
  }
}
