import { setImmediate } from 'node:timers/promises';
import type { AuditEntry, AuditExport } from '@postrider/contract/console';
import { scoped } from '../db/scoped.ts';
import type { Db } from '../db/tables.ts';
import { viewEntry } from './audit.view.ts';

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
