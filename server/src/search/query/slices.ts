/*
 * A search asks the index slice by slice, from the newest buckets to the oldest. A word is either common, and then the newest buckets have
 * enough messages to rank, or rare, and then all buckets together have few. So no step has to rank more than some thousand messages.
 */
import type { Context } from '../../context.ts';
import { scoped } from '../../db/scoped.ts';
import { anyLexeme, oneLexeme } from './lexeme-query.ts';

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

/** So many buckets that follow each other share one lexeme. */
const blockSize = 32;

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
  return { top, bottom: end, match: matchOf(rows), size: rows.length, oldestId };
}

interface BucketRow {
  bucket: number;
  number: number;
  block: number;
}

/** Blocks that are asked for as a whole may hold buckets outside the slice, except in its middle. */
function matchOf(rows: BucketRow[]): string {
  const [first, last] = [rows[0], rows.at(-1)];
  const isInside = (bucket: number) =>
    blockOf(bucket) !== blockOf(first?.bucket ?? 0) && blockOf(bucket) !== blockOf(last?.bucket ?? 0);
  const lexemes = rows.map(({ bucket, number, block }) =>
    isInside(bucket) ? `@k${Number(block).toString(36)}` : `@b${Number(number).toString(36)}`,
  );
  return anyLexeme([...new Set(lexemes)]);
}

function blockOf(bucket: number): number {
  return Math.floor(bucket / blockSize);
}
