import type { RawBuilder } from 'kysely';
import type { Context } from '../../context.ts';
import { allOfParts } from './index-query.ts';
import {
  type Budget,
  byScore,
  type Candidate,
  isSpent,
  type Matches,
  matchSlice,
  scanLimits,
} from './match-slice.ts';
import { type Buckets, type IdRange, nextSlice, type Slice, wholeSlice } from './slices.ts';

/** A search that walks through the buckets. */
export interface Scan {
  /** The tsqueries that a message has to match, without its bucket. */
  match: string[];
  /** The same for a slice where few messages match what the index has to be asked for, and the rest is looked up in these. */
  few: Asked;
  /** The inboxes that are wanted if they are several, and asked for one by one; null if `match` says what is wanted. */
  inboxIds: string[] | null;
  /** Whether hardly any messages of other workspaces match these. An inbox belongs to one workspace. */
  isOwn: boolean;
  score: RawBuilder<number>;
  range: IdRange;
  /** All messages that can pass, if they are few and known; otherwise null. */
  ids: string[] | null;
  /** About how many messages match, judged by the vocabulary; null if that is unknown. */
  count: number | null;
  /** The same for one bucket, at most and probably. */
  perBucket: { most: number; likely: number } | null;
  /** How full the newest bucket is, from 0 to 1. */
  newestShare: number;
  /** About how many full buckets there are. */
  bucketCount: number;
  /** Returns those of the candidates that pass the conditions that the index does not know, in their order. Null if there are none. */
  pass: ((ctx: Context, candidates: Candidate[]) => Promise<Candidate[]>) | null;
}

/** Two lists of tsqueries, each of which a message has to match. */
export interface Asked {
  /** Those that the index is asked for. */
  index: string[];
  /** Those that are looked up in the messages that it finds. */
  filter: string[];
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
  readonly #rankedMin: number;
  readonly #rankedWanted: number;
  readonly #wholeMax: number;
  readonly #found: Candidate[] = [];
  #size: number;
  #matched = 0;
  /** The matches and the buckets of all slices so far. */
  #counted = 0;
  #read = 0;
  #triedAll = false;
  /** Whether a slice had too many matches, after which no slice is longer than wanted. */
  #hadTooMany = false;
  #top: number | null;

  constructor(ctx: Context, scan: Scan, request: TierRequest, budget: Budget) {
    this.#ctx = ctx;
    this.#scan = scan;
    this.#request = request;
    this.#budget = budget;
    this.#rowsMax = scanLimits.rowsMax;
    this.#rankedMin = scanLimits.rankedMin;
    this.#rankedWanted = scanLimits.rankedWanted;
    this.#wholeMax = Math.min(scanLimits.wholeMax, this.#rowsMax / 2);
    this.#top = request.buckets.top;
    this.#size = this.#firstSize();
  }

  async read(): Promise<Tier> {
    const { bottom } = this.#request.buckets;
    if (this.#isWhole()) {
      const slice = wholeSlice(this.#ctx, this.#scan.isOwn);
      if (await this.#take(slice)) return this.#tier(null, null);
    }
    for (;;) {
      const wanted = { size: this.#size, perBucket: this.#perBucket() };
      const slice = await nextSlice(this.#ctx, { top: this.#top, bottom }, this.#scan.range, wanted);
      if (slice === null) return this.#tier(bottom, null);
      if (!(await this.#take(slice))) continue;
      const isEnd = slice.bottom === bottom;
      if (isEnd || this.#isEnough()) return this.#tier(slice.bottom, slice.oldestId);
      this.#top = slice.bottom;
      if (this.#seemsRare() && (await this.#takeAll())) return this.#tier(null, null);
    }
  }

  /** About how many messages of a bucket match, judged by the slices before or, at first, by the vocabulary. */
  #perBucket(): number {
    if (this.#hadTooMany) return Number.POSITIVE_INFINITY;
    if (this.#read > 0) return this.#counted / this.#read;
    return this.#scan.perBucket?.likely ?? this.#rankedWanted;
  }

  /** Whether all messages together probably have so few matches that it is cheaper to ask for all of them than for many buckets. */
  #seemsRare(): boolean {
    const { buckets, isKnown } = this.#request;
    const { bucketCount } = this.#scan;
    if (isKnown || buckets.top !== null || buckets.bottom !== null || this.#triedAll) return false;
    const expected = ((this.#counted + 1) / this.#read) * bucketCount;
    return bucketCount > 2 * this.#read && expected <= this.#wholeMax;
  }

  /** Reads everything in place of the slices before, and returns false if it has too many matches. */
  async #takeAll(): Promise<boolean> {
    this.#triedAll = true;
    const before = this.#found.length;
    if (!(await this.#take(wholeSlice(this.#ctx, this.#scan.isOwn)))) return false;
    this.#found.splice(0, before);
    return true;
  }

  /** Reads a slice, and returns false if it has too many matches. */
  async #take(slice: Slice): Promise<boolean> {
    const { count, best } = await this.#ask(slice);
    this.#budget.examined -= count ?? this.#rowsMax;
    if (count === null) {
      this.#hadTooMany = true;
      this.#size = Number.isFinite(slice.size) ? Math.max(1, Math.floor(slice.size / 4)) : this.#size;
      return false;
    }
    this.#counted += count;
    this.#read += slice.size;
    const passing = this.#scan.pass === null ? best : await this.#scan.pass(this.#ctx, best);
    this.#found.push(...passing);
    this.#matched += this.#scan.pass === null ? count : passing.length;
    this.#size = this.#nextSize(slice, count);
    return true;
  }

  #ask(slice: Slice): Promise<Matches> {
    const { ids, inboxIds, range, score, pass } = this.#scan;
    const { after, limit } = this.#request;
    const { index, filter } = this.#askedOf(slice);
    const rowsMax = slice.size === 1 ? scanLimits.bucketRowsMax : this.#rowsMax;
    return matchSlice(this.#ctx, {
      match: [...slice.match, ...index],
      filter: filter.length === 0 ? null : allOfParts(filter),
      ids,
      inboxIds,
      range,
      score,
      rowsMax,
      after,
      limit: pass === null ? limit : rowsMax,
    });
  }

  /** Words that seldom meet may be common, so that the index has to be asked for both if the slice is long. */
  #askedOf({ size }: Slice): Asked {
    const { count, perBucket, match, few } = this.#scan;
    const expected = Number.isFinite(size) ? (perBucket?.most ?? Number.POSITIVE_INFINITY) * size : count;
    return (expected ?? Number.POSITIVE_INFINITY) <= this.#rowsMax ? few : { index: match, filter: [] };
  }

  /** As many buckets as probably have what is wanted, judged by the vocabulary. The newest one may have hardly any messages. */
  #firstSize(): number {
    const { perBucket, newestShare } = this.#scan;
    const isNewest = this.#top === null;
    if (perBucket === null) return scanLimits.firstBuckets;
    const size = this.#sizeFor(Math.max(perBucket.likely, 0.01));
    const sure = Math.max(1, Math.floor(this.#rowsMax / perBucket.most));
    return Math.min(size, sure) + (isNewest ? 1 - Math.round(newestShare) : 0);
  }

  /** The same, judged by the slice before. */
  #nextSize({ size, top }: Slice, count: number): number {
    const most = Math.min(size * scanLimits.growthMax, scanLimits.bucketsMax);
    if (count === 0) return most;
    const full = top === null ? size - 1 + this.#scan.newestShare : size;
    return Math.min(most, this.#sizeFor(count / Math.max(full, 0.1)));
  }

  #sizeFor(perBucket: number): number {
    const half = this.#rowsMax / 2;
    const missing = this.#rankedWanted - this.#matched;
    const wanted = this.#scan.pass === null ? Math.min(half, missing) : half;
    return Math.max(
      1,
      Math.min(scanLimits.bucketsMax, Math.ceil(wanted / perBucket), Math.floor(half / perBucket)),
    );
  }

  #isWhole(): boolean {
    const { buckets, isKnown } = this.#request;
    const { ids, count } = this.#scan;
    const isFew = ids !== null || (count !== null && count <= this.#wholeMax);
    // A filter that had many messages on an earlier page may have few now, and the tiers stay what they were.
    return buckets.top === null && buckets.bottom === null && (isKnown || isFew);
  }

  #isEnough(): boolean {
    if (this.#request.isKnown) return false;
    return this.#matched >= this.#rankedMin || isSpent(this.#budget);
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
