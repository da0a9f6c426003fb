import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { IndexState } from '../index/index-state.ts';
import { allOfParts, anyOfParts, isInbox, noneOf } from './index-query.ts';
import type { Candidate } from './match-slice.ts';
import { type Budget, isSpent } from './match-slice.ts';
import type { PlannedTerm } from './plan-term.ts';
import { likelyTogether } from './plan-terms.ts';
import type { Restrictions } from './restrictions.ts';
import { type Asked, type Scan, scanTier } from './scan-tier.ts';
import { coverageByForm, isInMost, massOf, scoredTerms, scoreOf } from './score.ts';
import type { Phase, Position } from './search-cursor.ts';

/** A search that is planned. */
export interface PlannedSearch {
  terms: PlannedTerm[];
  /** About which share of all messages passes the filters, from 0 to 1. */
  share: number;
  restrictions: Restrictions;
  checks: Pick<Scan, 'ids' | 'pass'>;
  state: Pick<IndexState, 'total' | 'buckets' | 'newestShare' | 'share' | 'since'>;
  /** When the search began, from which the age of messages counts. */
  at: Date;
}

/** A message that was found. */
export interface Found extends Candidate {
  /** Where the search continues after it. */
  position: Position;
}

/** Hits in their order, and where the search continues after them; null at its end. */
export interface FoundHits {
  hits: Found[];
  next: Position | null;
  /** A bound for the ids of the messages that were compared; null if all were. */
  oldestId: string | null;
}

/** Where a search begins. */
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
export type Choose = (
  ctx: Context,
  hits: Candidate[],
  position: Position,
  wanted: number,
) => Promise<Candidate[]>;

/** What of a search is wanted. */
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
 * Returns the next `limit` hits. If all messages together have fewer with all terms, those with most of what the query says follow, which
 * is decided on the first page.
 */
export async function findHits(
  ctx: Context,
  search: PlannedSearch,
  { from, limit, choose, mayLack = from === start }: HitsRequest,
  budget: Budget,
): Promise<FoundHits> {
  const hits: Found[] = [];
  for (let position = from; ; ) {
    const wanted = limit - hits.length;
    const { candidates, tier } = await readTier(
      ctx,
      search,
      { from: position, limit: wanted + 1, choose },
      budget,
    );
    const placeOf = (after: Candidate): Position => ({
      ...position,
      buckets: tier.buckets,
      isKnown: true,
      after,
    });
    const taken = candidates.slice(0, wanted);
    hits.push(...taken.map((one) => ({ ...one, position: placeOf(one) })));
    const { oldestId } = tier;
    if (candidates.length > wanted) return { hits, next: hits.at(-1)?.position ?? null, oldestId };
    const isFew = mayLack && hits.length < limit;
    const next = nextPosition(search, position.phase, tier.next, isFew);
    if (next === null || hits.length === limit || isSpent(budget)) return { hits, next, oldestId };
    position = next;
  }
}

/** Returns the candidates after the position, at least `limit` if the tier has as many. */
async function readTier(
  ctx: Context,
  search: PlannedSearch,
  { from, limit, choose }: HitsRequest,
  budget: Budget,
) {
  const { phase, buckets, isKnown, after } = from;
  const scan = scanOf(search, phase);
  if (!choose) {
    const tier = await scanTier(ctx, scan, { buckets, isKnown, after, limit }, budget);
    return { tier, candidates: tier.candidates };
  }
  const tier = await scanTier(
    ctx,
    scan,
    { buckets, isKnown, after: null, limit: Number.MAX_SAFE_INTEGER },
    budget,
  );
  return { tier, candidates: await choose(ctx, tier.candidates, from, limit) };
}

function nextPosition(
  search: PlannedSearch,
  phase: Phase,
  bucket: number | null,
  isFew: boolean,
): Position | null {
  if (bucket !== null) return { ...start, phase, buckets: { top: bucket, bottom: null } };
  const canBeMost = phase === 'all' && isFew && search.terms.length > 1 && mostOf(search.terms) !== null;
  return canBeMost ? { ...start, phase: 'most' } : null;
}

/** From this share of the database on, to pass by the messages of others costs less than to ask for the workspace. */
const mostlyOwn = 0.5;

/** Returns the scan of a phase. */
export function scanOf(search: PlannedSearch, phase: Phase): Scan {
  const { terms, restrictions, checks, state, at } = search;
  const scan = {
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
    const score = scoreOf(terms, true, at);
    return {
      ...scan,
      match,
      few: askedOfFew(search),
      score,
      ...expectedOf(search, leastOf(terms), likelyOf(search)),
    };
  }
  const most = mostOf(terms) ?? { match: [], count: null };
  const index = [...restrictions.match, ...most.match];
  const without = noneOf(allOfParts(terms.map((term) => term.match)));
  const few = { index, filter: [without] };
  const score = sql<number>`case when ${coverageByForm(scoredTerms(terms))} >= ${sql.lit(coverageMin)} then ${scoreOf(terms, false, at)} else -1 end`;
  return { ...scan, match: [...index, without], few, score, ...expectedOf(search, most.count) };
}

/** A word that most messages have is not worth reading its long list in the index. A word that hardly any has may tell as little. */
function askedOfFew({ terms, restrictions }: PlannedSearch): Asked {
  const rarer = terms.filter((term) => term.count === 0 || !isInMost(term));
  const isAsked = restrictions.facets.length > 0 || restrictions.inboxIds !== null;
  const asked = rarer.length > 0 || isAsked ? rarer : terms;
  const others = terms.filter((term) => !asked.includes(term) || term.index !== term.match);
  return {
    index: [...restrictions.match, ...asked.map(({ index }) => index)],
    filter: others.map(({ match }) => match),
  };
}

/** Returns about how many messages match if so many have the words, as if the filters had nothing to do with the words. */
function expectedOf(
  { terms, share, state: { total, buckets } }: PlannedSearch,
  withWords: number | null,
  likely = withWords,
): Pick<Scan, 'count' | 'perBucket'> {
  const most = withWords ?? (terms.length === 0 && share < 1 ? total : null);
  if (most === null) return { count: null, perBucket: null };
  const ofBucket = (all: number) => (total === 0 ? 0 : (all * share) / buckets);
  return { count: most * share, perBucket: { most: ofBucket(most), likely: ofBucket(likely ?? most) } };
}

/** Returns about how many messages probably have all of the words; null if the vocabulary does not tell. */
function likelyOf({ terms, state: { total } }: PlannedSearch): number | null {
  const each = terms.flatMap(({ likely }) => (likely === null ? [] : [likely]));
  return each.length === 0 ? null : likelyTogether(each, total);
}

/**
 * Returns what a message that has most of the query must match: the phrases, and any of its rarest words, because all other words together
 * are not enough. Null if all terms must match anyway.
 */
function mostOf(terms: PlannedTerm[]): { match: string[]; count: number | null } | null {
  const required = terms.filter(({ isRequired }) => isRequired);
  const words = terms.filter(({ isRequired }) => !isRequired).toSorted((a, b) => b.idf - a.idf);
  if (words.length === 0) return null;
  const half = coverageMin * massOf(terms);
  const match = required.map((term) => term.match);
  if (massOf(required) >= half) return { match, count: leastOf(required) };
  const rarest: PlannedTerm[] = [];
  let rest = massOf(terms);
  for (const word of words) {
    if (rest < half) break;
    rarest.push(word);
    rest -= word.idf;
  }
  const counts = rarest.map(({ count }) => count);
  const count = counts.includes(null) ? null : counts.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  return { match: [...match, anyOfParts(rarest.map((term) => term.match))], count };
}

function leastOf(terms: PlannedTerm[]): number | null {
  const counts = terms.flatMap(({ count }) => (count === null ? [] : [count]));
  return counts.length === 0 ? null : Math.min(...counts);
}
