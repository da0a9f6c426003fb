import { defineEntity, p } from '@mikro-orm/core';
import type { EventKind } from '@postrider/contract';

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
