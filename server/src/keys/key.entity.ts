import { defineEntity, p } from '@mikro-orm/core';

/**
 * A Bearer key, stored as its SHA-256. `hint` is the part of it that may be shown, and `created_by` the person who created it. With
 * `inbox_ids` nothing else of the workspace exists for it.
 */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    keyHash: p.blob(),
    hint: p.text(),
    name: p.text(),
    scopes: p.array<string>().nullable(),
    createdAt: p.datetime(3),
    createdBy: p.text().nullable(),
    lastUsedAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    inboxIds: p.array<string>().nullable(),
    readOnly: p.boolean().default(false),
    expiresAt: p.datetime(3).nullable(),
  },
});
