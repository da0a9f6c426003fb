import { defineEntity, p } from '@mikro-orm/core';

/** The state of the whole server, in one row. `secretId` identifies the root secret that its data was made with. */
export const Instance = defineEntity({
  name: 'Instance',
  tableName: 'instance',
  properties: {
    one: p.boolean().primary(),
    secretId: p.text(),
  },
});
