import { defineEntity, p } from '@mikro-orm/core';

type UsageKind = 'emails' | 'storage_bytes' | 'mail_bytes';

/** One entry of the append-only usage ledger: emails sent, or bytes of attachments or of mail stored. */
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

/** The ledger rolled up by workspace, kind and UTC calendar month. */
export const UsageTotal = defineEntity({
  name: 'UsageTotal',
  tableName: 'usage_totals',
  properties: {
    workspaceId: p.text().primary(),
    kind: p.text().$type<UsageKind>().primary(),
    month: p.date().primary(),
    amount: p.bigint('number'),
  },
});
