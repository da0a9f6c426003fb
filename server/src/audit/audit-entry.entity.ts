import { defineEntity, p } from '@mikro-orm/core';

/** What somebody did in a workspace, with the state before and after where there is one. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  properties: {
    workspaceId: p.text().primary(),
    id: p.text().primary(),
    at: p.datetime(3),
    actorKind: p.text().$type<'person' | 'operator' | 'server'>(),
    actorId: p.text().nullable(),
    action: p.text(),
    target: p.text().nullable(),
    before: p.json<Record<string, unknown>>().nullable(),
    after: p.json<Record<string, unknown>>().nullable(),
    address: p.text().nullable(),
    requestId: p.text().nullable(),
  },
});
