import { defineEntity, p } from '@mikro-orm/core';

/** The process that does a kind of work for all processes, until its lease ends. `holder` is new with each process that takes over. */
export const Lease = defineEntity({
  name: 'Lease',
  tableName: 'leases',
  properties: {
    name: p.text().primary(),
    holder: p.text(),
    endsAt: p.datetime(3),
  },
});
