import { defineEntity, p } from '@mikro-orm/core';

/** An entry of the allow and block lists of a workspace. */
export const Rule = defineEntity({
  name: 'Rule',
  tableName: 'rules',
  properties: {
    workspaceId: p.text().primary(),
    id: p.text().primary(),
    kind: p.text().$type<'allow' | 'block'>(),
    direction: p.text().$type<'inbound' | 'outbound' | 'both'>(),
    pattern: p.text(),
    createdAt: p.datetime(3),
    actorId: p.text().nullable(),
    requestId: p.text().nullable(),
  },
});
