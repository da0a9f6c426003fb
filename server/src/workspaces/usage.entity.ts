import { defineEntity, p } from '@mikro-orm/core';

/** One entry of the append-only usage ledger: emails sent, or bytes of attachments stored. */
export const UsageEntry = defineEntity({
  name: 'UsageEntry',
  tableName: 'usage_ledger',
  properties: {
    id: p.bigint('number').primary(),
    workspaceId: p.text(),
    kind: p.text().$type<'emails' | 'storage_bytes'>(),
    amount: p.bigint('number'),
    at: p.datetime(3),
  },
});

/** The ledger rolled up by workspace, kind and UTC calendar month. */
export const UsageTotal = defineEntity({
  name: 'UsageTotal',
  tableName: 'usage_totals',
  properties: {
    workspaceId: p.text().primary(),
    kind: p.text().$type<'emails' | 'storage_bytes'>().primary(),
    month: p.date().primary(),
    amount: p.bigint('number'),
  },
});
