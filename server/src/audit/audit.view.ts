import type { AuditEntry } from '@postrider/contract/console';
import type { Selectable } from 'kysely';
import type { Tables } from '../db/tables.ts';

/** An entry as a row. */
export type AuditRow = Selectable<Tables['audit_entries']>;

/** An entry as the console shows it, and as it is exported and hashed. */
export function viewEntry(row: AuditRow): AuditEntry {
  return {
    workspace_id: row.workspace_id,
    seq: row.seq,
    id: row.id,
    at: row.at.toISOString(),
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    target: row.target,
    before: row.before,
    after: row.after,
    address: row.address,
    request_id: row.request_id,
    previous_hash: row.previous_hash,
    hash: row.hash,
  };
}
