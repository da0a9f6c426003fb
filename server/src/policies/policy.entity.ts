import { defineEntity, p } from '@mikro-orm/core';
import type { PauseLevel, PolicyIn, PolicyLevel } from '@postrider/contract';

/** The lines of a policy that are set at one place. The subject is the id of the workspace, the inbox or the key. */
export const PolicyEntry = defineEntity({
  name: 'PolicyEntry',
  tableName: 'policies',
  properties: {
    workspaceId: p.text().primary(),
    level: p.text().$type<PolicyLevel>().primary(),
    subjectId: p.text().primary(),
    lines: p.json<PolicyIn>(),
    updatedAt: p.datetime(3),
    updatedBy: p.text().nullable(),
  },
});

/**
 * How many mails were sent in a slot of time, for a subject with a cap: a workspace, an inbox or a key, or one of these with a recipient or
 * a thread after `>`. Deleting the message does not change it. `messageId` is the
 * first of the messages that were stored together, and empty once rows were added up.
 */
export const SendCount = defineEntity({
  name: 'SendCount',
  tableName: 'send_counts',
  properties: {
    workspaceId: p.text().primary(),
    subject: p.text().primary(),
    slot: p.datetime(3).primary(),
    messageId: p.text().primary(),
    amount: p.integer(),
  },
});

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
