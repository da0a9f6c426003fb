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

/** A file of a draft with its bytes, which are in no message yet. */
export const DraftFile = defineEntity({
  name: 'DraftFile',
  tableName: 'draft_files',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    inboxId: p.text(),
    draftId: p.text(),
    position: p.integer(),
    filename: p.text(),
    contentType: p.text(),
    sizeBytes: p.integer(),
    contentId: p.text().nullable(),
    inline: p.boolean(),
    content: p.blob(),
  },
});
