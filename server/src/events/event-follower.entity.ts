import { defineEntity, p } from '@mikro-orm/core';

/** A follower of the log of all workspaces, with the position of the last event that it has taken. */
export const EventFollower = defineEntity({
  name: 'EventFollower',
  tableName: 'event_followers',
  properties: {
    name: p.text().primary(),
    position: p.bigint('number'),
  },
});
