import type { Context } from '../../context.ts';

/**
 * How much one search compares at most. The embedded database runs in the thread of the process and cannot end a statement, so its steps
 * are small.
 */
export const scanLimits = {
  /** The messages that one statement ranks. A bucket holds about 1,024 or 256, and is the smallest step. */
  rowsMax: { postgres: 2_500, embedded: 1_600 },
  /** The messages that one page compares. */
  examinedMax: { postgres: 10_000, embedded: 4_000 },
  msMax: 500,
  /** This many messages at least are ranked among themselves before older ones follow. */
  rankedMin: { postgres: 125, embedded: 60 },
  /** A step is to find this many. It is more, because a second step costs about as much as the first. */
  rankedWanted: { postgres: 250, embedded: 100 },
  /** If all messages together have at most this many matches, all of them are ranked. */
  wholeMax: { postgres: 600, embedded: 300 },
  /** A bucket with more matches than that would be skipped. It never has as many messages. */
  bucketRowsMax: 20_000,
  firstBuckets: 2,
  bucketsMax: 1_024,
  /** How many times as many buckets the next step has at most. */
  growthMax: 64,
};

/** What a page may still compare. */
export interface Budget {
  examined: number;
  untilMs: number;
}

/** Returns what one page may compare. */
export function budgetOf(ctx: Pick<Context, 'database' | 'timeScale'>): Budget {
  return {
    examined: scanLimits.examinedMax[ctx.database.kind],
    untilMs: performance.now() + ctx.timeScale.scaleMs(scanLimits.msMax),
  };
}

/** Returns whether nothing more should be compared for this page. */
export function isSpent(budget: Budget): boolean {
  return budget.examined <= 0 || performance.now() > budget.untilMs;
}
