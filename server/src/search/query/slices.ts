/*
 * A search asks the index slice by slice, from the newest buckets to the oldest. A word is either common, and then the newest buckets have
 * enough messages to rank, or rare, and then all buckets together have few. So no step has to rank more than some thousand messages.
 *
 * For each message of a slice, the database looks at every lexeme that the query has for its buckets. So a slice of many buckets is asked
 * for by its blocks, without the few buckets of them that are not in it.
 */
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { prepared } from '../../db/prepared.ts';
import { allOfParts, anyLexeme, anyOfParts, noPart, oneLexeme } from './index-query.ts';

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
  /** Tsqueries, each of which its messages match. */
  match: string[];
  /** The number of buckets in the slice. */
  size: number;
  /** A bound for the ids of its oldest messages; null if it has none. */
  oldestId: string | null;
}

/** Returns the slice of everything. With `isOwn`, it leaves out messages of other workspaces; the reader filters them. */
export function wholeSlice(ctx: Pick<Context, 'workspaceId'>, isOwn: boolean): Slice {
  const match = isOwn ? [] : [oneLexeme(`@w${ctx.workspaceId}`)];
  return { top: null, bottom: null, match, size: Number.POSITIVE_INFINITY, oldestId: null };
}

/** How many buckets are wanted, and about how many messages match in one of them. */
interface SliceSize {
  size: number;
  perBucket: number;
}

/**
 * Returns the next buckets below `top`, about `size`, newest first, as far as they have messages in the range and are not below `bottom`;
 * null if no such bucket is left. The oldest slice has no `bottom`, unless one is given.
 */
export async function nextSlice(
  ctx: Pick<Context, 'db' | 'database' | 'workspaceId' | 'scope'>,
  { top, bottom }: Buckets,
  range: IdRange,
  wanted: SliceSize,
): Promise<Slice | null> {
  const { workspaceId } = ctx;
  // A few buckets are requested one by one, without their neighbours.
  const [align, ahead] = wanted.size < blocksFrom ? [1, 1] : [blockSize, blockSize];
  const found = await selectBuckets(ctx, {
    workspaceId,
    top,
    bottom,
    ...range,
    most: wanted.size + ahead,
    align,
  });
  const inside = found.filter(({ is_inside: isInside }) => isInside);
  const rows = inside.slice(0, roundToBlock(inside, wanted, cost));
  const last = rows.at(-1);
  if (!last) return null;
  const oldestId = rows.reduce<string | null>(
    (id, { oldest }) => (id === null || (oldest ?? id) < id ? oldest : id),
    null,
  );
  const end = inside.length > rows.length ? last.bucket : bottom;
  const isBeside = ({ bucket }: BucketRow) =>
    (top !== null && bucket >= top) || (end !== null && bucket < end);
  const match = matchBuckets(rows, found.filter(isBeside));
  return { top, bottom: end, match: [match], size: rows.length, oldestId };
}

/** The time to rank one message more, and to look up one bucket more, in microseconds. */
const cost = { message: 8, bucket: 250 };
/** A part of a block is left out if it is this share of a slice at most. */
const partMax = 1 / 4;

/** Returns how many of the buckets to take: so many that the last block is whole, if that costs less than to look its buckets up. */
function roundToBlock(
  buckets: BucketRow[],
  { size, perBucket }: SliceSize,
  { message, bucket }: Record<'message' | 'bucket', number>,
): number {
  const last = buckets[size - 1];
  const isPart = last !== undefined && buckets[size]?.block === last.block;
  if (!isPart || size < blocksFrom) return Math.min(size, buckets.length);
  const first = buckets.findIndex(({ block }) => block === last.block);
  const end = buckets.findLastIndex(({ block }) => block === last.block) + 1;
  const [taken, left] = [size - first, end - size];
  if (first > 0 && taken <= size * partMax) return first;
  return left * perBucket * message < Math.min(taken, left) * bucket ? end : size;
}

interface BucketRange extends Buckets, IdRange {
  workspaceId: string;
  most: number;
  align: number;
}

interface FoundBucket extends BucketRow {
  oldest: string | null;
  is_inside: boolean;
}

/** Returns buckets, newest first, and those that share a block of `align` with the first or the last of them. */
const selectBuckets = prepared((db, { workspaceId, top, bottom, from, before, most, align }: BucketRange) => {
  const blockLength = sql`${align}::float8`;
  const isInside = sql`oldest is not null
    and (${top}::int is null or bucket < ${top}) and (${bottom}::int is null or bucket >= ${bottom})
    and (${from}::text is null or newest >= ${from}) and (${before}::text is null or oldest < ${before})`;
  return sql<FoundBucket>`
    with bounds as materialized (
      select min(bucket) as first, max(bucket) as last from (
        select bucket from search_buckets where workspace_id = ${workspaceId} and ${isInside}
          order by bucket desc limit ${most}::int) as inside)
    select bucket, number, block, oldest, bucket >= (select first from bounds) and ${isInside} as is_inside
    from search_buckets
    where workspace_id = ${workspaceId}
      and bucket >= (select floor(first / ${blockLength}) * ${blockLength} from bounds)::int
      and bucket < (select (floor(last / ${blockLength}) + 1) * ${blockLength} from bounds)::int
    order by bucket desc`.compile(db);
});

/** A bucket with its numbers in the lexemes of its messages. */
interface BucketRow {
  bucket: number;
  number: number;
  block: number;
}

/** This many consecutive buckets share one lexeme. */
const blockSize = 32;
/** Fewer buckets than that are asked for one by one. */
const blocksFrom = 5;

/**
 * Returns the tsquery of the messages of some buckets, newest first, which are all between two bounds. `beside` are those beyond the
 * bounds, at least as far as they share a block with the first or the last.
 */
function matchBuckets(rows: BucketRow[], beside: BucketRow[]): string {
  if (rows.length < blocksFrom) return anyLexeme(rows.map(bucketLexeme));
  const parts = [...Map.groupBy(rows, ({ block }) => block)].flatMap(([block, inside]) => {
    const others = beside.filter((row) => row.block === block);
    if (others.length >= inside.length) return inside.map((row) => oneLexeme(bucketLexeme(row)));
    const whole = oneLexeme(`@k${Number(block).toString(36)}`);
    return others.length === 0 ? [whole] : [allOfParts([whole, noPart(anyLexeme(others.map(bucketLexeme)))])];
  });
  return anyOfParts(parts);
}

function bucketLexeme({ number }: BucketRow): string {
  return `@b${Number(number).toString(36)}`;
}
