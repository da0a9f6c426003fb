import { defineEntity, p } from '@mikro-orm/core';

/** The bytes of a small message as they came in, or as they were composed; those of a large one are a file. */
export const Original = defineEntity({
  name: 'Original',
  tableName: 'originals',
  properties: {
    workspaceId: p.text().primary(),
    messageId: p.text().primary(),
    raw: p.blob(),
  },
});
