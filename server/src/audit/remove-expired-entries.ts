import { setImmediate } from 'node:timers/promises';
import { type AuditBreak, type AuditEntry, consoleLimits } from '@postrider/contract/console';
import { inTransaction } from '../db/connections.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Db } from '../db/tables.ts';
import type { Clock, TimeScale } from '../lib/clock.ts';
import { appendAudit, serverItself } from './append-audit.ts';
import { readBatch } from './read-entries.ts';
import { findBreak } from './verify-audit.ts';

/**
 * Removes the entries of all workspaces that are older than a year. Each log records the last one that was removed, so that the rest can
 * still be verified. If the chain of removed entries is broken, the log gets an entry that says so.
 */
export async function removeExpiredEntries(
  deps: { db: Db; clock: Clock; timeScale: TimeScale },
  batchRows = 1_000,
): Promise<void> {
  const before = deps.timeScale.before(deps.clock.now(), consoleLimits.auditKeptMs);
  const workspaces = await acrossWorkspaces(deps, 'windows end in all workspaces')
    .selectFrom('audit_entries')
    .select('workspace_id')
    .distinct()
    .where('at', '<', before)
    .execute();
  for (const { workspace_id: workspaceId } of workspaces)
    while ((await inTransaction({ ...deps, workspaceId }, (tx) => removeBatch(tx, before, batchRows))) > 0)
      await setImmediate();
}

/** Removes the oldest entries as far as all of them are old enough, and returns how many these were. */
async function removeBatch(
  tx: { db: Db; clock: Clock; workspaceId: string },
  before: Date,
  batchRows: number,
): Promise<number> {
  const head = await scoped(tx).selectFrom('audit_heads').selectAll().forUpdate().executeTakeFirst();
  if (!head) return 0;
  const entries = await readBatch(tx, {}, batchRows);
  const kept = entries.findIndex(({ at }) => new Date(at) >= before);
  const expired = kept === -1 ? entries : entries.slice(0, kept);
  const last = expired.at(-1);
  if (!last) return 0;
  const broken = firstBreak(expired, head);
  await scoped(tx).deleteFrom('audit_entries').where('seq', '<=', last.seq).execute();
  const removed = { removed_seq: last.seq, removed_hash: last.hash };
  await scoped(tx).updateTable('audit_heads').set(removed).execute();
  const act = { action: 'audit.broken', target: null, after: broken };
  if (broken) await appendAudit(tx, tx.workspaceId, serverItself, act);
  return expired.length;
}

function firstBreak(
  entries: AuditEntry[],
  ends: { seq: number; removed_seq: number; removed_hash: string },
): AuditBreak | null {
  let last = { seq: ends.removed_seq, hash: ends.removed_hash };
  for (const entry of entries) {
    const found = findBreak(last, entry, ends);
    if (found) return found;
    last = entry;
  }
  return null;
}
