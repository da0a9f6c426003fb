import { defineEntity, p } from '@mikro-orm/core';

/** A file of a message. Its bytes are derived from the original by `position`. */
export const Attachment = defineEntity({
  name: 'Attachment',
  tableName: 'attachments',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    inboxId: p.text(),
    messageId: p.text(),
    position: p.integer(),
    filename: p.text(),
    mimeType: p.text(),
    sizeBytes: p.integer(),
    contentId: p.text().nullable(),
    inline: p.boolean(),
  },
});
