import { defineEntity, p } from '@mikro-orm/core';

/** The bytes of a small message as they were received or composed. Those of a large one are a file. */
export const Original = defineEntity({
  name: 'Original',
  tableName: 'originals',
  properties: {
    workspaceId: p.text().primary(),
    messageId: p.text().primary(),
    raw: p.blob(),
  },
});
