import type { AuditEntry } from '@postrider/contract/console';
import type { Db } from '../db/database.ts';
import { scoped } from '../db/scoped.ts';
import { decodeCursor } from '../lib/cursor.ts';
import { type Page, pageOf } from '../lib/page.ts';

/** Which entries of the audit log are wanted. */
export interface AuditQuery {
  limit: number;
  cursor?: string | undefined;
  action?: string | undefined;
  person_id?: string | undefined;
}

/** Returns a page of what was done in the workspace, newest first. */
export async function listAudit(
  ctx: { db: Db; workspaceId: string },
  { limit, cursor, action, person_id }: AuditQuery,
): Promise<Page<AuditEntry>> {
  let rows = scoped(ctx)
    .selectFrom('audit_entries')
    .leftJoin('people', 'people.id', 'audit_entries.actor_id')
    .selectAll('audit_entries')
    .select('people.name as actor_name')
    .orderBy('audit_entries.id', 'desc')
    .limit(limit + 1);
  if (cursor) rows = rows.where('audit_entries.id', '<', decodeCursor(cursor, 1)[0] ?? '');
  if (action) rows = rows.where('action', '=', action);
  if (person_id) rows = rows.where('actor_id', '=', person_id);
  const page = pageOf(await rows.execute(), limit, ({ id }) => [id]);
  const view = (row: (typeof page.rows)[number]): AuditEntry => ({
    id: row.id,
    at: row.at.toISOString(),
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    target: row.target,
    before: row.before,
    after: row.after,
    address: row.address,
    request_id: row.request_id,
  });
  return { ...page, rows: page.rows.map(view) };
}
