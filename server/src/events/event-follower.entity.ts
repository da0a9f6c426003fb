import { defineEntity, p } from '@mikro-orm/core';

/** Who follows the log of all workspaces, and the position of the last event that was taken. */
export const EventFollower = defineEntity({
  name: 'EventFollower',
  tableName: 'event_followers',
  properties: {
    name: p.text().primary(),
    position: p.bigint('number'),
  },
});
