import { limits } from '@postrider/contract';
import type { Context } from '../context.ts';
import { newId } from '../lib/ids.ts';
import { contentHash } from '../messages/content-hash.ts';
import type { MessageRecord } from '../messages/store/message-record.ts';

/** Returns the record of a message that waits for the approval of people. No worker looks at its recipients until then. */
export function heldRecord(ctx: Context, record: MessageRecord, raw: Buffer): MessageRecord {
  const { created_at } = record.message;
  return {
    ...record,
    recipients: record.recipients.map((recipient) => ({
      ...recipient,
      status: 'held' as const,
      attempts: 0,
      due_at: null,
    })),
    events: [...record.events, { id: newId('evt', created_at), event: 'message.held', extra: {} }],
    approval: {
      hash: contentHash(raw, record.recipients),
      expiresAt: ctx.timeScale.after(created_at, limits.approvalMs),
    },
  };
}
