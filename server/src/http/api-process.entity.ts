import { defineEntity, p } from '@mikro-orm/core';

/** A process that serves the API, with the time of its last sign of life. */
export const ApiProcess = defineEntity({
  name: 'ApiProcess',
  tableName: 'api_processes',
  properties: {
    id: p.text().primary(),
    seenAt: p.datetime(3),
  },
});
