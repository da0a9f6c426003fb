import { defineEntity, p } from '@mikro-orm/core';
import type { Delivery, DeliveryAttempt, EventKind } from '@postrider/contract';

/** An endpoint that receives events. Its secrets are encrypted; `failing_since` is null while the newest attempt succeeded. */
export const Webhook = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    url: p.text(),
    events: p.array<EventKind>(),
    /** The inboxes whose events the webhook gets; null for all. */
    inboxIds: p.array<string>().nullable(),
    enabled: p.boolean(),
    secret: p.text(),
    /** Also signs, until `previous_secret_until`. */
    previousSecret: p.text().nullable(),
    previousSecretUntil: p.datetime(3).nullable(),
    failingSince: p.datetime(3).nullable(),
    /** The insertion of the newest event before the webhook was created. */
    afterInsertion: p.bigint('number'),
    createdAt: p.datetime(3),
    actorId: p.text().nullable(),
    requestId: p.text().nullable(),
  },
});

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
