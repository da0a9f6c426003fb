import { defineEntity, p } from '@mikro-orm/core';
import type { AdminRight } from '@postrider/contract';

/**
 * A token of the management API, stored as its SHA-256. `created_by` is the owner for whom it acts. One of the operator has neither a
 * workspace nor a person.
 */
export const AdminToken = defineEntity({
  name: 'AdminToken',
  tableName: 'admin_tokens',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().nullable(),
    tokenHash: p.blob(),
    hint: p.text(),
    name: p.text(),
    rights: p.array<AdminRight>(),
    createdBy: p.text().nullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    lastUsedAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
  },
});
