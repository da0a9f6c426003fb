import { defineEntity, p } from '@mikro-orm/core';

/**
 * The state of the whole server, in one row. `secretId` identifies the root secret with which its data was created, and `sendingVersion`
 * increases with each pause of the server.
 */
export const Instance = defineEntity({
  name: 'Instance',
  tableName: 'instance',
  properties: {
    one: p.boolean().primary(),
    secretId: p.text(),
    sendingVersion: p.bigint('number').default(0),
  },
});
