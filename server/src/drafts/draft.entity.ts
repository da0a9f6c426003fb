import { defineEntity, p } from '@mikro-orm/core';
import type { Metadata } from '@postrider/contract';

/**
 * A message that is not sent yet, or only at its time. Its status is not stored, but derived from this row and from the recipients of its
 * message. `due_at` is when a worker has to look at it. Each change raises `version`.
 */
export const Draft = defineEntity({
  name: 'Draft',
  tableName: 'drafts',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    inboxId: p.text(),
    toAddrs: p.array<string>(),
    ccAddrs: p.array<string>(),
    bccAddrs: p.array<string>(),
    subject: p.text().nullable(),
    bodyText: p.text().nullable(),
    bodyHtml: p.text().nullable(),
    replyToMessageId: p.text().nullable(),
    metadata: p.json<Metadata>(),
    scheduledAt: p.datetime(3).nullable(),
    dueAt: p.datetime(3).nullable(),
    attempts: p.integer(),
    version: p.integer(),
    messageId: p.text().nullable(),
    failure: p.text().nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    /** The actor that changed it last, as which it is sent at its time. */
    actorId: p.text().nullable(),
    /** The writer of the content. The policy of a key that wrote it applies, whoever sends it. */
    writerId: p.text().nullable(),
    requestId: p.text().nullable(),
  },
});
