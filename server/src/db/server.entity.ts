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

/** The functions that the database has: one row with their version and a hash of their text. */
export const AppliedFunctions = defineEntity({
  name: 'AppliedFunctions',
  tableName: 'applied_functions',
  properties: {
    one: p.boolean().primary(),
    version: p.integer(),
    hash: p.text(),
  },
});
