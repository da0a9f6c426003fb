import { setImmediate } from 'node:timers/promises';
import type { AuditEntry, AuditExport } from '@postrider/contract/console';
import type { Selectable } from 'kysely';
import { scoped } from '../db/scoped.ts';
import type { Db, Tables } from '../db/tables.ts';
import { decodeCursor, type Page, pageOf } from '../lib/cursor.ts';

const batchRows = 1_000;

/** Which entries are read: those after a `seq`, up to another one. By default all. */
export interface EntryRange {
  after?: number;
  upTo?: number;
}

/** Reads entries of the workspace, oldest first, in batches, however many they are. Others get a turn between two batches. */
export async function* readEntries(
  ctx: { db: Db; workspaceId: string },
  { after = Number.MIN_SAFE_INTEGER, upTo = Number.MAX_SAFE_INTEGER }: EntryRange = {},
): AsyncGenerator<AuditEntry> {
  let last = after;
  for (;;) {
    const entries = await readBatch(ctx, { after: last, upTo }, batchRows);
    yield* entries;
    if (entries.length < batchRows) return;
    last = entries.at(-1)?.seq ?? last;
    await setImmediate();
  }
}

/** Returns the first `limit` entries of a range, oldest first. */
export async function readBatch(
  ctx: { db: Db; workspaceId: string },
  { after = Number.MIN_SAFE_INTEGER, upTo = Number.MAX_SAFE_INTEGER }: EntryRange,
  limit: number,
): Promise<AuditEntry[]> {
  const rows = await scoped(ctx)
    .selectFrom('audit_entries')
    .selectAll()
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map(viewEntry);
}

/** Returns a page of an export: the entries after a `seq`, oldest first, and the `after` of the next page. */
export async function exportPage(ctx: { db: Db; workspaceId: string }, after: number): Promise<AuditExport> {
  const entries = await readBatch(ctx, { after }, batchRows);
  return { entries, next_after: entries.length < batchRows ? null : (entries.at(-1)?.seq ?? null) };
}

/** Which entries of the audit log are wanted. */
export interface AuditQuery {
  limit: number;
  cursor?: string | undefined;
  action?: string | undefined;
  person_id?: string | undefined;
}

/** Returns a page of the acts in the workspace, newest first. */
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

/** An entry as a row. */
export type AuditRow = Selectable<Tables['audit_entries']>;

/** An entry in the form in which the console shows it, and in which it is exported and hashed. */
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
