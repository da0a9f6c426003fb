import type { AuditBreak, AuditCheck, AuditEntry } from '@postrider/contract/console';
import { type Selectable, sql } from 'kysely';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Db, Tables } from '../db/tables.ts';
import type { Deps } from '../deps.ts';
import { createSingleFlight } from '../lib/concurrency/single-flight.ts';
import { hashBeforeFirst, hashEntry } from '../lib/crypto/hash-entry.ts';
import { perServer } from '../lib/memory.ts';
import { readEntries } from './read-entries.ts';

type Ends = Omit<Selectable<Tables['audit_heads']>, 'workspace_id'>;
/** The recorded ends, the newest existing entry, and whether there has ever been one. */
type ReadEnds = Ends & { newest: number; began: boolean };
type AuditContext = { db: Db; workspaceId: string };

/**
 * Checks that all entries of the workspace's audit log exist and are unchanged: each has the hash of its fields and continues the previous
 * one, and both ends are where the log recorded them. A log that ever had an entry is not empty, even if the record of its ends is missing.
 * Reads in batches, whatever the length of the log. It finds every change by somebody who cannot also recalculate and write all later
 * hashes; comparing with a last hash that was noted elsewhere finds even that.
 */
export async function verifyAudit(ctx: AuditContext): Promise<AuditCheck> {
  const ends = await readEnds(ctx);
  const check = await walk(ctx, ends);
  if (check.intact) return check;
  // Entries may have reached their age and been removed meanwhile.
  const { removed_seq } = await readEnds(ctx);
  return removed_seq === ends.removed_seq ? check : verifyAudit(ctx);
}

const underway = perServer(() => createSingleFlight<AuditCheck>());

/** Returns the same for a page. One check of a workspace runs at a time; requests that arrive meanwhile share the next one. */
export function verifyForPage(ctx: AuditContext & Pick<Deps, 'memory'>): Promise<AuditCheck> {
  return underway(ctx)(ctx.workspaceId, () => verifyAudit(ctx));
}

/** Returns whether an entry of the workspace has this hash, or the last one that was removed after a year. */
export async function hasHash(ctx: AuditContext, hash: string): Promise<boolean> {
  const entry = await scoped(ctx)
    .selectFrom('audit_entries')
    .select('seq')
    .where('hash', '=', hash)
    .executeTakeFirst();
  return entry !== undefined || (await readEnds(ctx)).removed_hash === hash;
}

/** Returns the problem of the entry that follows `last` in a log with these ends; null if there is none. */
export function findBreak(
  last: Pick<AuditEntry, 'seq' | 'hash'>,
  entry: AuditEntry,
  ends: Pick<Ends, 'seq' | 'removed_seq'>,
): AuditBreak | null {
  const { hash, ...fields } = entry;
  const { seq } = entry;
  if (seq <= last.seq || seq > ends.seq) return { problem: 'unexpected', from_seq: seq, to_seq: seq };
  if (seq > last.seq + 1) {
    const problem = last.seq === ends.removed_seq ? 'missing_beginning' : 'gap';
    return { problem, from_seq: last.seq + 1, to_seq: seq - 1 };
  }
  if (hashEntry(fields) !== hash) return { problem: 'changed', from_seq: seq, to_seq: seq };
  return entry.previous_hash === last.hash ? null : { problem: 'unlinked', from_seq: seq, to_seq: seq };
}

async function walk(ctx: AuditContext, ends: ReadEnds): Promise<AuditCheck> {
  let last = { seq: ends.removed_seq, hash: ends.removed_hash };
  let first: AuditEntry | null = null;
  let count = 0;
  for await (const entry of readEntries(ctx, { upTo: ends.newest })) {
    const found = findBreak(last, entry, ends);
    if (found) return { intact: false, ...found };
    first ??= entry;
    last = entry;
    count++;
  }
  if (last.seq < ends.seq)
    return { intact: false, problem: 'missing_end', from_seq: last.seq + 1, to_seq: ends.seq };
  if (last.hash !== ends.hash)
    return { intact: false, problem: 'unlinked', from_seq: last.seq, to_seq: last.seq };
  if (last.seq === 0 && ends.began)
    return { intact: false, problem: 'missing_beginning', from_seq: 1, to_seq: 1 };
  const since = first?.at ?? null;
  return {
    intact: true,
    count,
    first_seq: first?.seq ?? null,
    since,
    last_seq: last.seq,
    last_hash: last.hash,
  };
}

/** Returns the recorded ends, the newest existing entry, and whether there has ever been one, all at the same moment. */
async function readEnds(ctx: AuditContext): Promise<ReadEnds> {
  const { workspaceId } = ctx;
  const { rows } = await sql<ReadEnds>`
    select coalesce(h.seq, 0) as seq, coalesce(h.hash, ${hashBeforeFirst}) as hash,
      coalesce(removed_seq, 0) as removed_seq, coalesce(removed_hash, ${hashBeforeFirst}) as removed_hash,
      (select coalesce(max(seq), 0) from audit_entries where workspace_id = ${workspaceId}) as newest,
      coalesce((select audit_began from workspaces where id = ${workspaceId}), false) as began
    from (select) one left join audit_heads h on workspace_id = ${workspaceId}`.execute(
    acrossWorkspaces(ctx, 'the log may have no row yet'),
  );
  const [ends] = rows;
  if (!ends) throw new Error('The ends of the audit log were not read.');
  return ends;
}
