import { defineEntity, p } from '@mikro-orm/core';

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
