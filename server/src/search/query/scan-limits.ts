import type { Context } from '../../context.ts';

/** How much one search compares at most. */
export const scanLimits = {
  /** The messages that one statement ranks. A bucket holds about 1,024, and is the smallest step. */
  rowsMax: 2_500,
  /** The messages that one page compares. */
  examinedMax: 10_000,
  msMax: 500,
  /** This many messages at least are ranked among themselves before older ones follow. */
  rankedMin: 125,
  /** A step is to find this many. It is more, because a second step costs about as much as the first. */
  rankedWanted: 250,
  /** If all messages together have at most this many matches, all of them are ranked. */
  wholeMax: 600,
  /** A bucket with more matches than that would be skipped. It never has as many messages. */
  bucketRowsMax: 20_000,
  firstBuckets: 2,
  bucketsMax: 1_024,
  /** How many times as many buckets the next step has at most. */
  growthMax: 64,
};

/**
 * How long a search waits for mail that has just come or gone to be indexed, and for the vectors of such mail. The first search by meaning
 * of a workspace waits for the vectors of all its mail.
 */
export const searchWaits = { indexMs: 300, vectorsMs: 200, firstVectorsMs: 1_000 };

/** What a page may still compare. */
export interface Budget {
  examined: number;
  untilMs: number;
}

/** Returns what one page may compare. */
export function budgetOf(ctx: Pick<Context, 'timeScale'>): Budget {
  return {
    examined: scanLimits.examinedMax,
    untilMs: performance.now() + ctx.timeScale.scaleMs(scanLimits.msMax),
  };
}

/** Returns whether nothing more should be compared for this page. */
export function isSpent(budget: Budget): boolean {
  return budget.examined <= 0 || performance.now() > budget.untilMs;
}
