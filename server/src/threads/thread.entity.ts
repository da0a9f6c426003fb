import { defineEntity, p } from '@mikro-orm/core';

/** A conversation within one inbox. */
export const Thread = defineEntity({
  name: 'Thread',
  tableName: 'threads',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    inboxId: p.text(),
    subject: p.text(),
    participants: p.array<string>(),
    messageCount: p.integer(),
    lastMessageAt: p.datetime(3),
    createdAt: p.datetime(3),
  },
});

/** The id of a thread that was merged into another, which keeps answering. */
export const ThreadAlias = defineEntity({
  name: 'ThreadAlias',
  tableName: 'thread_aliases',
  properties: { id: p.text().primary(), workspaceId: p.text(), threadId: p.text() },
});
