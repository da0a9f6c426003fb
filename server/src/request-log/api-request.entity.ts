import { defineEntity, p } from '@mikro-orm/core';

/** One request to the API by a key, kept 7 days. `id` is that of the request. `skipped` requests before it were not recorded. */
export const ApiRequest = defineEntity({
  name: 'ApiRequest',
  tableName: 'api_requests',
  properties: {
    workspaceId: p.text().primary(),
    at: p.datetime(3).primary(),
    id: p.text().primary(),
    keyId: p.text(),
    method: p.text(),
    path: p.text(),
    status: p.integer(),
    error: p.text().nullable(),
    durationMs: p.integer(),
    skipped: p.integer(),
  },
});
