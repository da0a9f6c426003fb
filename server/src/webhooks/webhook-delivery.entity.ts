import { defineEntity, p } from '@mikro-orm/core';
import type { Delivery, DeliveryAttempt, EventKind } from '@postrider/contract';

/**
 * One event on its way to one webhook. `next_at` is when it is tried, `due_at` when the queue looks at it: then, or at the end of
 * the lease of who is trying it. `origin` says why there is one: the log, or somebody who asked for it.
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
    claims: p.integer(),
    nextAt: p.datetime(3).nullable(),
    dueAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    apiKeyId: p.text().nullable(),
    requestId: p.text().nullable(),
  },
});
