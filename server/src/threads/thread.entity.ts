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
    unreadCount: p.integer(),
  },
});

/** A deleted thread whose messages are still being removed. */
export const DeletedThread = defineEntity({
  name: 'DeletedThread',
  tableName: 'deleted_threads',
  properties: { workspaceId: p.text().primary(), threadId: p.text().primary() },
});

/** The id of a thread that was merged into another. It still finds the thread. */
export const ThreadAlias = defineEntity({
  name: 'ThreadAlias',
  tableName: 'thread_aliases',
  properties: { id: p.text().primary(), workspaceId: p.text(), threadId: p.text() },
});

/** A label that at least one message of a thread has. */
export const ThreadLabel = defineEntity({
  name: 'ThreadLabel',
  tableName: 'thread_labels',
  properties: {
    workspaceId: p.text().primary(),
    threadId: p.text().primary(),
    labelId: p.text().primary(),
    inboxId: p.text(),
    lastMessageAt: p.datetime(3),
  },
});
