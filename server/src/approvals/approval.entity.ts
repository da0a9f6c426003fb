import { defineEntity, p } from '@mikro-orm/core';

/**
 * The decision of people about a held message. `contentHash` is the SHA-256 of what they see: the composed mail and its recipients.
 * `decidedBy` is the person, or null for the operator and for an approval that expired.
 */
export const Approval = defineEntity({
  name: 'Approval',
  tableName: 'approvals',
  properties: {
    workspaceId: p.text().primary(),
    messageId: p.text().primary(),
    inboxId: p.text(),
    state: p.text().$type<'held' | 'approved' | 'refused' | 'expired'>(),
    contentHash: p.blob(),
    heldAt: p.datetime(3),
    expiresAt: p.datetime(3),
    notifiedAt: p.datetime(3).nullable(),
    decidedAt: p.datetime(3).nullable(),
    decidedBy: p.text().nullable(),
    reason: p.text().nullable(),
  },
});
