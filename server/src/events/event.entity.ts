import { defineEntity, p } from '@mikro-orm/core';
import type { EventKind } from '@postrider/contract';

/**
 * One event of the log, about a message, or about a draft that became none. Writers leave `position` null. The sequencer assigns it after
 * the commit, and readers go by it alone.
 */
export const Event = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    workspaceId: p.text().primary(),
    id: p.text().primary(),
    insertion: p.bigint('number').autoincrement(),
    position: p.bigint('number').nullable(),
    event: p.text().$type<EventKind>(),
    inboxId: p.text(),
    threadId: p.text().nullable(),
    messageId: p.text().nullable(),
    extra: p.json<Record<string, unknown>>(),
    createdAt: p.datetime(3),
  },
});
