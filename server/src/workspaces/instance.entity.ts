import { defineEntity, p } from '@mikro-orm/core';

/** What is true of the whole server: one row. `secretId` names the root secret that its data was made with. */
export const Instance = defineEntity({
  name: 'Instance',
  tableName: 'instance',
  properties: {
    one: p.boolean().primary(),
    secretId: p.text(),
  },
});
