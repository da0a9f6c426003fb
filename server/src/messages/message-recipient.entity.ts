import { defineEntity, p } from '@mikro-orm/core';
import type { DeliveryStatus } from '@postrider/contract';

/**
 * One recipient of an outbound message, the unit of delivery. `due_at` is when a worker must look at it again: at the next attempt, or
 * when the lease of the process that delivers now expires. It is null once nothing is left to do. `attempts` is the fence: a process
 * whose lease expired finds another number and may not hand the message over. `resume_at` is when a recipient was due that waits for the
 * end of a pause.
 */
export const MessageRecipient = defineEntity({
  name: 'MessageRecipient',
  tableName: 'message_recipients',
  properties: {
    workspaceId: p.text().primary(),
    messageId: p.text().primary(),
    address: p.text().primary(),
    inboxId: p.text(),
    kind: p.text().$type<'to' | 'cc' | 'bcc'>(),
    position: p.integer(),
    status: p.text().$type<DeliveryStatus>(),
    detail: p.text().nullable(),
    /** Whether the sandbox kept the mail instead of sending it. */
    sandboxed: p.boolean(),
    providerMessageId: p.text().nullable(),
    attempts: p.integer(),
    dueAt: p.datetime(3).nullable(),
    resumeAt: p.datetime(3).nullable(),
    expiresAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});
