import type { Deps } from '../deps.ts';
import type { MessageRecord, StoreOutcome } from '../messages/store/message-record.ts';
import { storeMessage } from '../messages/store/store-message.ts';
import { withoutTexts } from './inbound-record.ts';

/** Stores a mail that came in: without its texts where the database refuses these, for the original holds all. */
export const storeInbound = async (
  ctx: Pick<Deps, 'db' | 'wakeups' | 'log'> & { workspaceId: string },
  record: MessageRecord,
  original: Buffer | null,
): Promise<StoreOutcome> => {
  try {
    return await storeMessage(ctx, record, original);
  } catch (error) {
    if (!isRefusedData(error)) throw error;
    ctx.log.warn(
      { err: error, messageId: record.message.id },
      'the database refused the texts of a mail: stored without them',
    );
    return storeMessage(ctx, withoutTexts(record), original);
  }
};

/** Classes 22 and 54 of SQLSTATE: the database cannot hold these data, and never will, so that a 4xx would loop. */
const isRefusedData = (error: unknown): boolean => /^(22|54)/.test((error as { code?: string }).code ?? '');
