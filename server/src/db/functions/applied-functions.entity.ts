import { defineEntity, p } from '@mikro-orm/core';

/** Which functions the database has: one row, with their number and a hash of their text. */
export const AppliedFunctions = defineEntity({
  name: 'AppliedFunctions',
  tableName: 'applied_functions',
  properties: {
    one: p.boolean().primary(),
    version: p.integer(),
    hash: p.text(),
  },
});
