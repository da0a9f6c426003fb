import { defineEntity, p } from '@mikro-orm/core';

/** An address that a workspace no longer sends to, and why. */
export const Suppression = defineEntity({
  name: 'Suppression',
  tableName: 'suppressions',
  properties: {
    workspaceId: p.text().primary(),
    address: p.text().primary(),
    reason: p.text().$type<'hard_bounce' | 'soft_bounce' | 'complaint' | 'manual'>(),
    messageId: p.text().nullable(),
    createdAt: p.datetime(3),
    actorId: p.text().nullable(),
    requestId: p.text().nullable(),
  },
});
