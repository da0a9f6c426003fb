import type { RawBuilder } from 'kysely';
import type { Context } from '../../context.ts';
import { allOfParts } from './index-query.ts';
import {
  type Budget,
  byScore,
  type Hit,
  isSpent,
  type Matches,
  matchSlice,
  searchLimits,
} from './match-slice.ts';
import { type Buckets, type IdRange, nextSlice, type Slice, wholeSlice } from './slices.ts';

/** The way in which the tiers of a phase are read. */
export interface TierPlan {
  /** The tsqueries that a message has to match, without its bucket. */
  match: string[];
  /** The same, for slices in which the index finds few messages: it is asked for less, and the rest is compared with these messages. */
  few: Conditions;
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
  /** The fill level of the newest bucket, from 0 to 1. */
  newestShare: number;
  /** About how many full buckets there are. */
  bucketCount: number;
  /** Returns the hits that meet the conditions that the index does not know, in their order. Null if there are no such conditions. */
  pass: ((ctx: Context, hits: Hit[]) => Promise<Hit[]>) | null;
}

/** Tsqueries, each of which a message must match. */
export interface Conditions {
  /** The index is asked for these. */
  index: string[];
  /** These are compared with the messages that it finds. */
  filter: string[];
}

/** Where to read, and how much. */
export interface TierRequest {
  buckets: Buckets;
  /** Whether `buckets` is the tier of an earlier page, which is read again. */
  isKnown: boolean;
  /** Only hits after this one are returned. */
  after: Hit | null;
  /** The number of hits to return. */
  limit: number;
}

/** Hits that were ranked among themselves, best first. */
export interface Tier {
  buckets: Buckets;
  hits: Hit[];
  /** The bucket below which the next tier begins; null if there is none. */
  next: number | null;
  /** A bound for the ids of the messages that were compared; null if all were. */
  oldestId: string | null;
}

/** Returns the hits of the newest buckets, as many as a good ranking needs, or those of a known tier. */
export function readTier(ctx: Context, plan: TierPlan, request: TierRequest, budget: Budget): Promise<Tier> {
  return new TierReader(ctx, plan, request, budget).read();
}

/**
 * Reads one tier. The reader is in one of these states:
 *
 *     start ── few messages match ──> WHOLE ── too many after all ──> SLICES
 *     start ── otherwise ──> SLICES
 *     SLICES ── not enough hits ──> SLICES: the next slice, sized by the matches so far
 *     SLICES ── a slice had too many matches ──> SLICES: a quarter of it
 *     SLICES ── matches seem rare ──> ALL, at most once ── too many after all ──> SLICES
 *     SLICES ── enough hits, nothing left of the budget, or no bucket left ──> end
 *     WHOLE, ALL ── read ──> end
 *
 * WHOLE and ALL ask for all messages by one statement, and ALL replaces the hits of the slices before it. A tier that is known is read
 * until its last bucket.
 */
class TierReader {
  readonly #ctx: Context;
  readonly #plan: TierPlan;
  readonly #request: TierRequest;
  readonly #budget: Budget;
  readonly #rowsMax = searchLimits.rowsMax;
  readonly #wholeMax = Math.min(searchLimits.wholeMax, searchLimits.rowsMax / 2);
  readonly #hits: Hit[] = [];
  /** The number of buckets in the next slice. */
  #size: number;
  /** The matches that pass, of all slices so far. */
  #passed = 0;
  /** All matches and buckets of the slices so far. */
  #matched = 0;
  #read = 0;
  #triedAll = false;
  /** Whether a slice had too many matches, after which no slice is longer than wanted. */
  #hadTooMany = false;
  #top: number | null;

  constructor(ctx: Context, plan: TierPlan, request: TierRequest, budget: Budget) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.#request = request;
    this.#budget = budget;
    this.#top = request.buckets.top;
    this.#size = this.#firstSize();
  }

  async read(): Promise<Tier> {
    const { bottom } = this.#request.buckets;
    if (this.#isWhole()) {
      const slice = wholeSlice(this.#ctx, this.#plan.isOwn);
      if (await this.#take(slice)) return this.#tier(null, null);
    }
    for (;;) {
      const wanted = { size: this.#size, perBucket: this.#perBucket() };
      const slice = await nextSlice(this.#ctx, { top: this.#top, bottom }, this.#plan.range, wanted);
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
    if (this.#read > 0) return this.#matched / this.#read;
    return this.#plan.perBucket?.likely ?? searchLimits.rankedWanted;
  }

  /** Whether all messages together probably have so few matches that it is cheaper to ask for all of them than for many buckets. */
  #seemsRare(): boolean {
    const { buckets, isKnown } = this.#request;
    const { bucketCount } = this.#plan;
    if (isKnown || buckets.top !== null || buckets.bottom !== null || this.#triedAll) return false;
    const expected = ((this.#matched + 1) / this.#read) * bucketCount;
    return bucketCount > 2 * this.#read && expected <= this.#wholeMax;
  }

  /** Reads everything in place of the slices before, and returns false if it has too many matches. */
  async #takeAll(): Promise<boolean> {
    this.#triedAll = true;
    const before = this.#hits.length;
    if (!(await this.#take(wholeSlice(this.#ctx, this.#plan.isOwn)))) return false;
    this.#hits.splice(0, before);
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
    this.#matched += count;
    this.#read += slice.size;
    const passing = this.#plan.pass === null ? best : await this.#plan.pass(this.#ctx, best);
    this.#hits.push(...passing);
    this.#passed += this.#plan.pass === null ? count : passing.length;
    this.#size = this.#nextSize(slice, count);
    return true;
  }

  #ask(slice: Slice): Promise<Matches> {
    const { ids, inboxIds, range, score, pass } = this.#plan;
    const { after, limit } = this.#request;
    const { index, filter } = this.#conditions(slice);
    const rowsMax = slice.size === 1 ? searchLimits.bucketRowsMax : this.#rowsMax;
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
  #conditions({ size }: Slice): Conditions {
    const { count, perBucket, match, few } = this.#plan;
    const expected = Number.isFinite(size) ? (perBucket?.most ?? Number.POSITIVE_INFINITY) * size : count;
    return (expected ?? Number.POSITIVE_INFINITY) <= this.#rowsMax ? few : { index: match, filter: [] };
  }

  /** The number of buckets that probably contain enough hits, judged by the vocabulary. The newest one may have hardly any messages. */
  #firstSize(): number {
    const { perBucket, newestShare } = this.#plan;
    const isNewest = this.#top === null;
    if (perBucket === null) return searchLimits.firstBuckets;
    const size = this.#sizeFor(Math.max(perBucket.likely, 0.01));
    const sure = Math.max(1, Math.floor(this.#rowsMax / perBucket.most));
    return Math.min(size, sure) + (isNewest ? 1 - Math.round(newestShare) : 0);
  }

  /** The same, judged by the slice before. */
  #nextSize({ size, top }: Slice, count: number): number {
    const most = Math.min(size * searchLimits.growthMax, searchLimits.bucketsMax);
    if (count === 0) return most;
    const full = top === null ? size - 1 + this.#plan.newestShare : size;
    return Math.min(most, this.#sizeFor(count / Math.max(full, 0.1)));
  }

  #sizeFor(perBucket: number): number {
    const half = this.#rowsMax / 2;
    const missing = searchLimits.rankedWanted - this.#passed;
    const wanted = this.#plan.pass === null ? Math.min(half, missing) : half;
    return Math.max(
      1,
      Math.min(searchLimits.bucketsMax, Math.ceil(wanted / perBucket), Math.floor(half / perBucket)),
    );
  }

  #isWhole(): boolean {
    const { buckets, isKnown } = this.#request;
    const { ids, count } = this.#plan;
    const isFew = ids !== null || (count !== null && count <= this.#wholeMax);
    // A filter that had many messages on an earlier page may have few now, and the tiers stay what they were.
    return buckets.top === null && buckets.bottom === null && (isKnown || isFew);
  }

  #isEnough(): boolean {
    if (this.#request.isKnown) return false;
    return this.#passed >= searchLimits.rankedMin || isSpent(this.#budget);
  }

  #tier(bottom: number | null, oldestId: string | null): Tier {
    const hits = this.#hits.sort(byScore);
    const { top } = this.#request.buckets;
    return {
      buckets: { top, bottom },
      hits,
      next: bottom,
      oldestId: bottom === null ? null : oldestId,
    };
  }
}
