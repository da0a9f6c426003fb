import { defineEntity, p } from '@mikro-orm/core';

/**
 * The text of an attachment that search can find it by. `status` is `pending` until the file has been read; after that it is one of
 * `readStatuses`. `text` is null unless that is `done`. Files in formats that are not read have no row.
 */
export const AttachmentText = defineEntity({
  name: 'AttachmentText',
  tableName: 'attachment_texts',
  properties: {
    workspaceId: p.text().primary(),
    messageId: p.text().primary(),
    attachmentId: p.text().primary(),
    status: p.text(),
    text: p.text().nullable(),
    dueAt: p.datetime(3).nullable(),
    tries: p.integer(),
  },
});
