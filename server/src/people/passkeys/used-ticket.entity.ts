import { defineEntity, p } from '@mikro-orm/core';

/** A ticket that was used, by its SHA-256, until it expires. */
export const UsedTicket = defineEntity({
  name: 'UsedTicket',
  tableName: 'used_tickets',
  properties: {
    tokenHash: p.blob().primary(),
    expiresAt: p.datetime(3),
  },
});
