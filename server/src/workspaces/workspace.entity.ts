import { defineEntity, p } from '@mikro-orm/core';
import type { Disclosure } from '@postrider/contract';

/**
 * A tenant: every other row belongs to one. `name` is unique and the operator's, and `title` is what the owners call it. `sendingVersion`
 * rises with each change of what may be sent, and `auditBegan` is true from the first entry of the audit log on. `purgeAt` of a deleted
 * workspace is when a worker has to go on removing what it has, or the end of the lease of one that does; null once nothing is left.
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
