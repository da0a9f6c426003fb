/*
 * Each part of a search and of its result has one word:
 *
 * - bucket: about 1,024 messages that were indexed one after another; 32 neighbours are a block (`index/choose-bucket.ts`)
 * - slice: buckets that follow each other, which one statement asks (`slices.ts`)
 * - tier: one slice or several, whose hits are ranked among themselves; the newest tier comes first (`read-tier.ts`)
 * - phase: the condition of hits: all words and, once these hits end, most of the words; or a near meaning (`search-cursor.ts`)
 * - hit: a message that matches, with its score (`match-slice.ts`)
 * - position: where a search continues: a phase, a tier, and the last hit of it that was returned (`search-cursor.ts`)
 */
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { IndexState } from '../index/index-state.ts';
import { allOfParts, anyOfParts, isInbox, noPart } from './index-query.ts';
import { type Budget, type Hit, isSpent } from './match-slice.ts';
import type { PlannedTerm } from './plan-term.ts';
import { likelyTogether } from './plan-terms.ts';
import { type Conditions, readTier, type Tier, type TierPlan } from './read-tier.ts';
import type { Restrictions } from './restrictions.ts';
import { coverageByFormSql, isInMost, scoredTerms, scoreSql, totalWeight } from './score.ts';
import type { Phase, Position } from './search-cursor.ts';

/** A search that is planned. */
export interface PlannedSearch {
  terms: PlannedTerm[];
  /** About which share of all messages passes the filters, from 0 to 1. */
  share: number;
  restrictions: Restrictions;
  checks: Pick<TierPlan, 'ids' | 'pass'>;
  state: Pick<IndexState, 'total' | 'buckets' | 'newestShare' | 'share' | 'since'>;
  /** The start of the search, from which the age of messages is measured. */
  at: Date;
}

/** A hit, with the position after it. */
export interface PlacedHit extends Hit {
  position: Position;
}

/** Some hits in their order, and the position after them; null at the end of the search. */
export interface HitPage {
  hits: PlacedHit[];
  next: Position | null;
  /** A bound for the ids of the messages that were compared; null if all were. */
  oldestId: string | null;
}

/** The place where a search begins. */
export const start: Position = {
  phase: 'all',
  buckets: { top: null, bottom: null },
  isKnown: false,
  after: null,
};

/**
 * Drops hits of a tier, such as all but the best one of a thread. It is given all of them, also those of earlier pages, and returns at
 * least `wanted` hits after the position, if there are as many.
 */
export type Choose = (ctx: Context, hits: Hit[], position: Position, wanted: number) => Promise<Hit[]>;

/** The hits of a search that are wanted. */
export interface HitsRequest {
  from: Position;
  limit: number;
  choose?: Choose | undefined;
  /** Whether messages without all terms may follow; by default on the first page only. */
  mayLack?: boolean;
}

/** The share of a query that a message without all of its terms must have. */
const coverageMin = 0.5;

/**
 * Returns the next `limit` hits. If all messages together have fewer with all terms, those that match most of the query follow; this is
 * decided on the first page.
 */
export async function findHits(
  ctx: Context,
  search: PlannedSearch,
  { from, limit, choose, mayLack = from === start }: HitsRequest,
  budget: Budget,
): Promise<HitPage> {
  const hits: PlacedHit[] = [];
  for (let position = from; ; ) {
    const wanted = limit - hits.length;
    const { tier, left } = await readFrom(ctx, search, { from: position, limit: wanted + 1, choose }, budget);
    const inTier = { ...position, buckets: tier.buckets, isKnown: true };
    const taken = left.slice(0, wanted);
    hits.push(...taken.map((hit) => ({ ...hit, position: { ...inTier, after: hit } })));
    const { oldestId } = tier;
    if (left.length > wanted) return { hits, next: hits.at(-1)?.position ?? null, oldestId };
    const isFew = mayLack && hits.length < limit;
    const next = nextPosition(search, position.phase, tier.next, isFew);
    if (next === null || hits.length === limit || isSpent(budget)) return { hits, next, oldestId };
    position = next;
  }
}

/** Reads the tier of a position. Returns it with its hits after the position, at least `limit` if it has as many. */
async function readFrom(
  ctx: Context,
  search: PlannedSearch,
  { from, limit, choose }: HitsRequest,
  budget: Budget,
): Promise<{ tier: Tier; left: Hit[] }> {
  const { phase, buckets, isKnown, after } = from;
  const plan = planTier(search, phase);
  if (!choose) {
    const tier = await readTier(ctx, plan, { buckets, isKnown, after, limit }, budget);
    return { tier, left: tier.hits };
  }
  const all = { buckets, isKnown, after: null, limit: Number.MAX_SAFE_INTEGER };
  const tier = await readTier(ctx, plan, all, budget);
  return { tier, left: await choose(ctx, tier.hits, from, limit) };
}

function nextPosition(
  search: PlannedSearch,
  phase: Phase,
  bucket: number | null,
  isFew: boolean,
): Position | null {
  if (bucket !== null) return { ...start, phase, buckets: { top: bucket, bottom: null } };
  const canBeMost = phase === 'all' && isFew && search.terms.length > 1 && planMost(search.terms) !== null;
  return canBeMost ? { ...start, phase: 'most' } : null;
}

/** From this share of all buckets on, most matches are the workspace's own, and the index is not asked for the workspace. */
const mostlyOwn = 0.5;

/** Returns how the tiers of a phase are read. */
export function planTier(search: PlannedSearch, phase: Phase): TierPlan {
  const { terms, restrictions, checks, state, at } = search;
  const plan = {
    ...checks,
    range: restrictions.range,
    inboxIds: restrictions.inboxIds?.length === 1 ? null : restrictions.inboxIds,
    isOwn:
      restrictions.inboxIds !== null ||
      restrictions.facets.some(isInbox) ||
      (terms.length > 0 && state.share >= mostlyOwn),
    newestShare: state.newestShare,
    bucketCount: state.buckets,
  };
  if (phase === 'all' || terms.length === 0) {
    const match = [...restrictions.match, ...terms.map((term) => term.match)];
    const score = scoreSql(terms, true, at);
    return {
      ...plan,
      match,
      few: fewConditions(search),
      score,
      ...expectMatches(search, leastCount(terms), likelyCount(search)),
    };
  }
  const most = planMost(terms) ?? { match: [], count: null };
  const index = [...restrictions.match, ...most.match];
  const lacking = noPart(allOfParts(terms.map((term) => term.match)));
  const few = { index, filter: [lacking] };
  const score = sql<number>`case when ${coverageByFormSql(scoredTerms(terms))} >= ${sql.lit(coverageMin)} then ${scoreSql(terms, false, at)} else -1 end`;
  return { ...plan, match: [...index, lacking], few, score, ...expectMatches(search, most.count) };
}

/** A word that most messages have is not worth reading its long list in the index. A word that hardly any has may tell as little. */
function fewConditions({ terms, restrictions }: PlannedSearch): Conditions {
  const rarer = terms.filter((term) => term.count === 0 || !isInMost(term));
  const isAsked = restrictions.facets.length > 0 || restrictions.inboxIds !== null;
  const chosen = rarer.length > 0 || isAsked ? rarer : terms;
  const others = terms.filter((term) => !chosen.includes(term) || term.index !== term.match);
  return {
    index: [...restrictions.match, ...chosen.map(({ index }) => index)],
    filter: others.map(({ match }) => match),
  };
}

/** Returns about how many messages match if so many have the words, as if the filters had nothing to do with the words. */
function expectMatches(
  { terms, share, state: { total, buckets } }: PlannedSearch,
  withWords: number | null,
  likely = withWords,
): Pick<TierPlan, 'count' | 'perBucket'> {
  const most = withWords ?? (terms.length === 0 && share < 1 ? total : null);
  if (most === null) return { count: null, perBucket: null };
  const ofBucket = (all: number) => (total === 0 ? 0 : (all * share) / buckets);
  return { count: most * share, perBucket: { most: ofBucket(most), likely: ofBucket(likely ?? most) } };
}

/** Returns about how many messages probably have all of the words; null if the vocabulary does not tell. */
function likelyCount({ terms, state: { total } }: PlannedSearch): number | null {
  const each = terms.flatMap(({ likely }) => (likely === null ? [] : [likely]));
  return each.length === 0 ? null : likelyTogether(each, total);
}

/**
 * Returns the condition for a message that matches most of the query: the phrases, and any of its rarest words, because all other words
 * together are not enough. Null if all terms must match anyway.
 */
function planMost(terms: PlannedTerm[]): { match: string[]; count: number | null } | null {
  const required = terms.filter(({ isRequired }) => isRequired);
  const words = terms.filter(({ isRequired }) => !isRequired).toSorted((a, b) => b.idf - a.idf);
  if (words.length === 0) return null;
  const half = coverageMin * totalWeight(terms);
  const match = required.map((term) => term.match);
  if (totalWeight(required) >= half) return { match, count: leastCount(required) };
  const rarest: PlannedTerm[] = [];
  let rest = totalWeight(terms);
  for (const word of words) {
    if (rest < half) break;
    rarest.push(word);
    rest -= word.idf;
  }
  const counts = rarest.map(({ count }) => count);
  const count = counts.includes(null) ? null : counts.reduce<number>((sum, some) => sum + (some ?? 0), 0);
  return { match: [...match, anyOfParts(rarest.map((term) => term.match))], count };
}

function leastCount(terms: PlannedTerm[]): number | null {
  const counts = terms.flatMap(({ count }) => (count === null ? [] : [count]));
  return counts.length === 0 ? null : Math.min(...counts);
}
