import { defineEntity, p } from '@mikro-orm/core';
import type { Disclosure } from '@postrider/contract';

/**
 * A tenant: every other row belongs to one. `name` is unique and the operator's, and `title` is what the owners call it. `sendingVersion`
 * rises with each change of what may be sent, and `auditBegan` is true from the first entry of the audit log on.
 */
export const Workspace = defineEntity({
  name: 'Workspace',
  tableName: 'workspaces',
  properties: {
    id: p.text().primary(),
    name: p.text(),
    title: p.text(),
    plan: p.text().$type<'free' | 'pro' | 'scale' | 'business'>(),
    isTest: p.boolean(),
    createdAt: p.datetime(3),
    sendingVersion: p.bigint('number').default(0),
    disclosure: p.text().$type<Disclosure>().default('none'),
    auditBegan: p.boolean().default(false),
  },
});

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
