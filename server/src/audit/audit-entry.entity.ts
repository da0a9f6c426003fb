import { defineEntity, p } from '@mikro-orm/core';

/** An act in a workspace, with the state before and after it if there is one. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  properties: {
    workspaceId: p.text().primary(),
    /** Counts from 1 in each workspace, without gaps. */
    seq: p.bigint('number').primary(),
    id: p.text(),
    at: p.datetime(3),
    actorKind: p.text().$type<'person' | 'key' | 'token' | 'operator' | 'server'>(),
    actorId: p.text().nullable(),
    /** At that time: the address of a person, or the name of a key or a token. */
    actorName: p.text().nullable(),
    action: p.text(),
    target: p.text().nullable(),
    before: p.json<Record<string, unknown>>().nullable(),
    after: p.json<Record<string, unknown>>().nullable(),
    address: p.text().nullable(),
    requestId: p.text().nullable(),
    previousHash: p.text(),
    hash: p.text(),
  },
});

/** The two ends of the log of a workspace: its newest entry, and the last one that was removed because of its age. */
export const AuditHead = defineEntity({
  name: 'AuditHead',
  tableName: 'audit_heads',
  properties: {
    workspaceId: p.text().primary(),
    seq: p.bigint('number'),
    hash: p.text(),
    removedSeq: p.bigint('number'),
    removedHash: p.text(),
  },
});
