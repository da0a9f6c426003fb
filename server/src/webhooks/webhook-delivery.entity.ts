import { defineEntity, p } from '@mikro-orm/core';
import type { Delivery, DeliveryAttempt, EventKind } from '@postrider/contract';

/**
 * One event on its way to one webhook. `next_at` is the time of the next attempt. `due_at` is when a worker may claim the row: at that
 * time, or when the lease of the process that is trying it expires. `origin` says whether the log or a request created it.
 */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    webhookId: p.text(),
    eventId: p.text(),
    event: p.text().$type<EventKind>(),
    inboxId: p.text(),
    origin: p.text().$type<'log' | 'repeat' | 'sample'>(),
    status: p.text().$type<Delivery['status']>(),
    attempts: p.json<DeliveryAttempt[]>(),
    isRetry: p.boolean(),
    fence: p.integer(),
    nextAt: p.datetime(3).nullable(),
    dueAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    actorId: p.text().nullable(),
    requestId: p.text().nullable(),
  },
});
