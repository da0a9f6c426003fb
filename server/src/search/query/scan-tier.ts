import type { RawBuilder } from 'kysely';
import type { Context } from '../../context.ts';
import { allOfParts } from './lexeme-query.ts';
import { byScore, type Candidate, type Matches, matchSlice } from './match-slice.ts';
import { type Buckets, type IdRange, nextSlice, type Slice, wholeSlice } from './slices.ts';

/**
 * How much one search compares at most. The embedded database runs in the thread of the process and cannot end a statement, so its steps
 * are small.
 */
export const scanLimits = {
  /** The messages that one statement ranks. A bucket holds about 1,024, and is the smallest step. */
  rowsMax: { postgres: 2_500, embedded: 1_300 },
  /** The messages that one page compares. */
  examinedMax: { postgres: 10_000, embedded: 4_000 },
  msMax: 500,
  /** This many messages are ranked among themselves before older ones follow. */
  rankedMin: 200,
  /** A bucket with more matches than that would be skipped. It never has as many messages. */
  bucketRowsMax: 20_000,
  firstBuckets: 2,
  bucketsMax: 1_024,
  /** How many times as many buckets the next step has at most. */
  growthMax: 16,
};

/** A search that walks through the buckets. */
export interface Scan {
  /** The tsqueries that a message has to match, without its bucket. */
  match: string[];
  score: RawBuilder<number>;
  range: IdRange;
  /** All messages that can pass, if they are few and known; otherwise null. */
  ids: string[] | null;
  /** About how many messages match at most; null if that is unknown. */
  count: number | null;
  /** Returns those of the candidates that pass the conditions that the index does not know, in their order. Null if there are none. */
  pass: ((ctx: Context, candidates: Candidate[]) => Promise<Candidate[]>) | null;
}

/** Where to read, and how much. */
export interface TierRequest {
  buckets: Buckets;
  /** Whether `buckets` is the tier of an earlier page, which is read again. */
  isKnown: boolean;
  /** Only candidates after this one are returned. */
  after: Candidate | null;
  /** How many are wanted. */
  limit: number;
}

/** Messages that were ranked among themselves, best first. */
export interface Tier {
  buckets: Buckets;
  candidates: Candidate[];
  /** The bucket below which the next tier begins; null if there is none. */
  next: number | null;
  /** A bound for the ids of the messages that were compared; null if all were. */
  oldestId: string | null;
}

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

/** Returns the messages of the newest buckets, as many as make a good ranking, or those of a tier that is known. */
export function scanTier(ctx: Context, scan: Scan, request: TierRequest, budget: Budget): Promise<Tier> {
  return new TierScan(ctx, scan, request, budget).read();
}

class TierScan {
  readonly #ctx: Context;
  readonly #scan: Scan;
  readonly #request: TierRequest;
  readonly #budget: Budget;
  readonly #rowsMax: number;
  readonly #found: Candidate[] = [];
  #size = scanLimits.firstBuckets;
  #matched = 0;
  #top: number | null;

  constructor(ctx: Context, scan: Scan, request: TierRequest, budget: Budget) {
    this.#ctx = ctx;
    this.#scan = scan;
    this.#request = request;
    this.#budget = budget;
    this.#rowsMax = scanLimits.rowsMax[ctx.database.kind];
    this.#top = request.buckets.top;
  }

  async read(): Promise<Tier> {
    const { bottom } = this.#request.buckets;
    if (this.#isWhole()) {
      const slice = wholeSlice(this.#ctx);
      if (await this.#take(slice)) return this.#tier(null, null);
    }
    for (;;) {
      const slice = await nextSlice(this.#ctx, { top: this.#top, bottom }, this.#scan.range, this.#size);
      if (slice === null) return this.#tier(bottom, null);
      if (!(await this.#take(slice))) continue;
      const isEnd = slice.bottom === bottom;
      if (isEnd || this.#isEnough()) return this.#tier(slice.bottom, slice.oldestId);
      this.#top = slice.bottom;
    }
  }

  /** Reads a slice, and returns false if it has too many matches. */
  async #take(slice: Slice): Promise<boolean> {
    const { count, best } = await this.#ask(slice);
    this.#budget.examined -= count ?? this.#rowsMax;
    if (count === null) {
      this.#size = Number.isFinite(slice.size) ? Math.max(1, Math.floor(slice.size / 4)) : this.#size;
      return false;
    }
    const passing = this.#scan.pass === null ? best : await this.#scan.pass(this.#ctx, best);
    this.#found.push(...passing);
    this.#matched += this.#scan.pass === null ? count : passing.length;
    this.#size = this.#nextSize(slice.size, count);
    return true;
  }

  #ask(slice: Slice): Promise<Matches> {
    const { match, ids, range, score, pass } = this.#scan;
    const { after, limit } = this.#request;
    const rowsMax = slice.size === 1 ? scanLimits.bucketRowsMax : this.#rowsMax;
    return matchSlice(this.#ctx, {
      match: allOfParts([slice.match, ...match]),
      ids,
      range,
      score,
      rowsMax,
      after,
      limit: pass === null ? limit : rowsMax,
    });
  }

  /** As many buckets as probably have what is still wanted, judged by the slice before. */
  #nextSize(size: number, count: number): number {
    const { growthMax, bucketsMax, rankedMin } = scanLimits;
    const most = Math.min(size * growthMax, bucketsMax);
    if (count === 0) return most;
    const half = this.#rowsMax / 2;
    const wanted = this.#scan.pass === null ? Math.min(half, 1.5 * (rankedMin - this.#matched)) : half;
    return Math.max(1, Math.min(most, Math.floor((wanted * size) / count)));
  }

  #isWhole(): boolean {
    const { buckets, isKnown } = this.#request;
    const { ids, count } = this.#scan;
    if (ids !== null) return true;
    const isRare = count !== null && count <= this.#rowsMax / 2;
    return buckets.top === null && buckets.bottom === null && (isKnown || isRare);
  }

  #isEnough(): boolean {
    if (this.#request.isKnown) return false;
    return this.#matched >= scanLimits.rankedMin || isSpent(this.#budget);
  }

  #tier(bottom: number | null, oldestId: string | null): Tier {
    const candidates = this.#found.sort(byScore);
    const { top } = this.#request.buckets;
    return {
      buckets: { top, bottom },
      candidates,
      next: bottom,
      oldestId: bottom === null ? null : oldestId,
    };
  }
}
