import { defineEntity, p } from '@mikro-orm/core';

/** A label of a workspace. */
export const Label = defineEntity({
  name: 'Label',
  tableName: 'labels',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    name: p.text(),
    /** The name in the form in which names are compared and sorted. */
    nameKey: p.text(),
    color: p.text().nullable(),
    createdAt: p.datetime(3),
    actorId: p.text().nullable(),
    requestId: p.text().nullable(),
  },
});

/** A label on a message. */
export const MessageLabel = defineEntity({
  name: 'MessageLabel',
  tableName: 'message_labels',
  properties: {
    workspaceId: p.text().primary(),
    labelId: p.text().primary(),
    messageId: p.text().primary(),
    inboxId: p.text(),
    actorId: p.text().nullable(),
    requestId: p.text().nullable(),
  },
});
