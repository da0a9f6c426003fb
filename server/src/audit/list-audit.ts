import type { AuditEntry } from '@postrider/contract/console';
import { scoped } from '../db/scoped.ts';
import type { Db } from '../db/tables.ts';
import { decodeCursor, type Page, pageOf } from '../lib/cursor.ts';
import { viewEntry } from './audit.view.ts';

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
    .selectAll()
    .orderBy('seq', 'desc')
    .limit(limit + 1);
  if (cursor) rows = rows.where('seq', '<', Number(decodeCursor(cursor, 1)[0]) || 0);
  if (action) rows = rows.where('action', '=', action);
  if (person_id) rows = rows.where('actor_id', '=', person_id);
  const page = pageOf(await rows.execute(), limit, ({ seq }) => [String(seq)]);
  return { ...page, rows: page.rows.map(viewEntry) };
}
