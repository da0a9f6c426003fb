import { defineEntity, p } from '@mikro-orm/core';
import type { Disclosure } from '@postrider/contract';

/**
 * A tenant: every other row belongs to one. `name` is unique and set by the operator; `title` is the name that the owners gave it.
 * `sendingVersion` increases with each change of what can be sent, and `auditBegan` is true once the audit log has an entry. For a deleted
 * workspace, `purgeAt` is the time at which a worker must continue to remove its data, or the end of the lease of one that is doing so;
 * null once nothing is left.
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
    deletedAt: p.datetime(3).nullable(),
    purgeAt: p.datetime(3).nullable(),
  },
});
