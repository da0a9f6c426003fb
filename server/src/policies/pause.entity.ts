import { defineEntity, p } from '@mikro-orm/core';
import type { PauseLevel } from '@postrider/contract';

/** A pause of what is sent. The subject is the id of the workspace, the inbox or the key, and empty for the whole server. */
export const Pause = defineEntity({
  name: 'Pause',
  tableName: 'pauses',
  properties: {
    level: p.text().$type<PauseLevel>().primary(),
    subjectId: p.text().primary(),
    workspaceId: p.text().nullable(),
    reason: p.text().nullable(),
    pausedAt: p.datetime(3),
    pausedBy: p.text().nullable(),
  },
});
