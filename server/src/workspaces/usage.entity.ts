import { defineEntity, p } from '@mikro-orm/core';

/** Kinds that count against a plan: messages sent, and bytes of attachments and of mail. */
type PlanKind = 'emails' | 'storage_bytes' | 'mail_bytes';
type UsageKind = PlanKind | 'received' | 'delivered' | 'bounced' | 'complained';

/**
 * One entry of the append-only usage ledger: messages sent or received, recipients by outcome, or bytes of attachments or of mail stored.
 */
export const UsageEntry = defineEntity({
  name: 'UsageEntry',
  tableName: 'usage_ledger',
  properties: {
    id: p.bigint('number').primary(),
    workspaceId: p.text(),
    kind: p.text().$type<UsageKind>(),
    amount: p.bigint('number'),
    at: p.datetime(3),
  },
});

/** The usage that counts against a plan, rolled up from the ledger by workspace, kind and UTC calendar month. */
export const UsageTotal = defineEntity({
  name: 'UsageTotal',
  tableName: 'usage_totals',
  properties: {
    workspaceId: p.text().primary(),
    kind: p.text().$type<PlanKind>().primary(),
    month: p.date().primary(),
    amount: p.bigint('number'),
  },
});

/** The ledger rolled up by workspace, UTC day and kind. */
export const UsageDay = defineEntity({
  name: 'UsageDay',
  tableName: 'usage_days',
  properties: {
    workspaceId: p.text().primary(),
    day: p.date().primary(),
    kind: p.text().$type<UsageKind>().primary(),
    amount: p.bigint('number'),
  },
});
