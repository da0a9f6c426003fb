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

/** A follower of the log of all workspaces, with the position of the last event that it has taken. */
export const EventFollower = defineEntity({
  name: 'EventFollower',
  tableName: 'event_followers',
  properties: {
    name: p.text().primary(),
    position: p.bigint('number'),
  },
});

/** Followers of the log of all workspaces. Each has its own place in the log, in the row of `event_followers` with its name. */
export const followers = { webhooks: 'webhooks' } as const;
