import { defineEntity, p } from '@mikro-orm/core';

/** A process that serves the API, and when it last said so. */
export const ApiProcess = defineEntity({
  name: 'ApiProcess',
  tableName: 'api_processes',
  properties: {
    id: p.text().primary(),
    seenAt: p.datetime(3),
  },
});
