/*
 * For each message of a slice, the database looks at every lexeme that the query has for its buckets. So a slice of many buckets is asked
 * for by its blocks, without the few buckets of them that are not in it.
 */
import { allOfParts, anyLexeme, anyOfParts, noneOf, oneLexeme } from './lexeme-query.ts';

/** A bucket with its numbers in the lexemes of its messages. */
export interface BucketRow {
  bucket: number;
  number: number;
  block: number;
}

/** So many buckets that follow each other share one lexeme. */
export const blockSize = 32;
/** Fewer buckets than that are asked for one by one. */
export const blocksFrom = 5;

/**
 * Returns the tsquery of the messages of some buckets, newest first, which are all between two bounds. `beside` are those beyond the
 * bounds, at least as far as they share a block with the first or the last.
 */
export function matchBuckets(rows: BucketRow[], beside: BucketRow[]): string {
  if (rows.length < blocksFrom) return anyLexeme(rows.map(bucketLexeme));
  const parts = [...Map.groupBy(rows, ({ block }) => block)].flatMap(([block, inside]) => {
    const others = beside.filter((row) => row.block === block);
    if (others.length >= inside.length) return inside.map((row) => oneLexeme(bucketLexeme(row)));
    const whole = oneLexeme(`@k${Number(block).toString(36)}`);
    return others.length === 0 ? [whole] : [allOfParts([whole, noneOf(anyLexeme(others.map(bucketLexeme)))])];
  });
  return anyOfParts(parts);
}

function bucketLexeme({ number }: BucketRow): string {
  return `@b${Number(number).toString(36)}`;
}
