import { defineEntity, p } from '@mikro-orm/core';

/**
 * A message that was stored with its header alone, because nothing could parse its mail in time. It is parsed again once it is due. Every
 * claim raises `attempts`. Its client is kept so that its sender can be checked again.
 */
export const UnparsedMessage = defineEntity({
  name: 'UnparsedMessage',
  tableName: 'unparsed_messages',
  properties: {
    workspaceId: p.text().primary(),
    messageId: p.text().primary(),
    remoteAddress: p.text().nullable(),
    helo: p.text().nullable(),
    attempts: p.integer(),
    dueAt: p.datetime(3),
  },
});
