/*
 * For each message of a slice, the database looks at every lexeme that the query has for its buckets. So a slice of many buckets is asked
 * for by its blocks, without the few buckets of them that are not in it.
 */
import type { Context } from '../../context.ts';
import { scoped } from '../../db/scoped.ts';
import { allOfParts, anyLexeme, anyOfParts, noneOf, oneLexeme } from './lexeme-query.ts';

/** A bucket with its numbers in the lexemes of its messages. */
export interface BucketRow {
  bucket: number;
  number: number;
  block: number;
}

/** Buckets from `bottom` on and below `top`; null where there is no bound. */
interface Bounds {
  top: number | null;
  bottom: number | null;
}

/** So many buckets that follow each other share one lexeme. */
const blockSize = 32;
/** Fewer buckets than that are asked for one by one. */
const blocksFrom = 5;

/** Returns the tsquery of the messages of some buckets, newest first, which are all buckets between the bounds. */
export async function matchBuckets(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  rows: BucketRow[],
  bounds: Bounds,
): Promise<string> {
  if (rows.length < blocksFrom) return anyLexeme(rows.map(bucketLexeme));
  const outside = await besideSlice(ctx, rows, bounds);
  const parts = [...Map.groupBy(rows, ({ block }) => block)].flatMap(([block, inside]) => {
    const others = outside.filter((row) => row.block === block);
    if (others.length >= inside.length) return inside.map((row) => oneLexeme(bucketLexeme(row)));
    const whole = oneLexeme(`@k${Number(block).toString(36)}`);
    return others.length === 0 ? [whole] : [allOfParts([whole, noneOf(anyLexeme(others.map(bucketLexeme)))])];
  });
  return anyOfParts(parts);
}

/** Returns the buckets outside the bounds that share a block with the first or the last bucket. */
async function besideSlice(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  rows: BucketRow[],
  { top, bottom }: Bounds,
): Promise<BucketRow[]> {
  const [first, last] = [rows[0]!, rows.at(-1)!];
  const end = (Math.floor(first.bucket / blockSize) + 1) * blockSize;
  const start = Math.floor(last.bucket / blockSize) * blockSize;
  return scoped(ctx)
    .selectFrom('search_buckets')
    .select(['bucket', 'number', 'block'])
    .where((where) =>
      where.or([
        ...(top === null ? [] : [where.and([where('bucket', '>=', top), where('bucket', '<', end)])]),
        ...(bottom === null ? [] : [where.and([where('bucket', '<', bottom), where('bucket', '>=', start)])]),
      ]),
    )
    .execute();
}

function bucketLexeme({ number }: BucketRow): string {
  return `@b${Number(number).toString(36)}`;
}
