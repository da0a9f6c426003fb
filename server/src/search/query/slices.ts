/*
 * A search asks the index slice by slice, from the newest buckets to the oldest. A word is either common, and then the newest buckets have
 * enough messages to rank, or rare, and then all buckets together have few. So no step has to rank more than some thousand messages.
 */
import type { Context } from '../../context.ts';
import { scoped } from '../../db/scoped.ts';
import { oneLexeme } from './lexeme-query.ts';
import { matchBuckets } from './match-buckets.ts';

/** The buckets of a search: those below `top` (null: from the newest on) down to `bottom` (null: down to the oldest). */
export interface Buckets {
  top: number | null;
  bottom: number | null;
}

/** Ids of messages from `from` on and below `before`; null where there is no bound. */
export interface IdRange {
  from: string | null;
  before: string | null;
}

/** Some buckets that one statement asks. */
export interface Slice extends Buckets {
  /** The tsquery of its messages. */
  match: string;
  /** How many buckets these are. */
  size: number;
  /** A bound for the ids of its oldest messages; null if it has none. */
  oldestId: string | null;
}

/** Returns the slice of everything. */
export function wholeSlice(ctx: Pick<Context, 'workspaceId'>): Slice {
  const match = oneLexeme(`@w${ctx.workspaceId}`);
  return { top: null, bottom: null, match, size: Number.POSITIVE_INFINITY, oldestId: null };
}

/**
 * Returns the next `size` buckets below `top`, newest first, as far as they have messages in the range and are not below `bottom`; null if
 * there are none. The last slice has no `bottom` if `bottom` is null.
 */
export async function nextSlice(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { top, bottom }: Buckets,
  range: IdRange,
  size: number,
): Promise<Slice | null> {
  let query = scoped(ctx)
    .selectFrom('search_buckets')
    .select(['bucket', 'number', 'block', 'oldest'])
    .where('oldest', 'is not', null);
  if (top !== null) query = query.where('bucket', '<', top);
  if (bottom !== null) query = query.where('bucket', '>=', bottom);
  if (range.from !== null) query = query.where('newest', '>=', range.from);
  if (range.before !== null) query = query.where('oldest', '<', range.before);
  const found = await query
    .orderBy('bucket', 'desc')
    .limit(size + 1)
    .execute();
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  if (!last) return null;
  const oldestId = rows.reduce<string | null>(
    (id, { oldest }) => (id === null || (oldest ?? id) < id ? oldest : id),
    null,
  );
  const end = found.length > size ? last.bucket : bottom;
  const match = await matchBuckets(ctx, rows, { top, bottom: end });
  return { top, bottom: end, match, size: rows.length, oldestId };
}
