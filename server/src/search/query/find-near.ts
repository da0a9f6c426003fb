import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { inTimedTransaction } from '../../db/connections.ts';
import { isStatementTimeout } from '../../db/database-errors.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import { EmbeddingError } from '../../embedding/provider.ts';
import {
  type Nearest,
  type NearMessage,
  nearestMessages,
  readCosines,
} from '../semantic/nearest-messages.ts';
import type { Meaning } from '../semantic/read-meaning.ts';
import type { SemanticScope } from '../semantic/semantic-scope.ts';
import { findHits, type HitPage, type HitsRequest, start } from './find-hits.ts';
import { byScore, type Hit, isAfter, unpackedWords, withinTime } from './match-slice.ts';
import type { OpenSearch } from './open-search.ts';
import type { PlannedTerm } from './plan-term.ts';
import { coverageSql, scoredTerms, scoreMax } from './score.ts';
import type { Position } from './search-cursor.ts';
import type { Buckets } from './slices.ts';

/** Hits by words, and hits by meaning. So a search by meaning has at most this many results, and a hybrid one twice as many. */
const hitsMax = 200;
/** Codes that are compared, and how long that may take: some 150 ms of a core. If the machine is too busy for that, few are compared. */
export const attempts = [
  { compared: 400_000, ms: 1_500 },
  { compared: 50_000, ms: 1_000 },
];
/** A message counts as near from this cosine on, and from this share of the nearest one's. Any text has nearest messages. */
const near = { cosineMin: 0.1, ofNearest: 0.5 };

/**
 * Returns the next hits of a search by meaning alone or with words. All hits are compared again for each page.
 *
 * @throws EmbeddingError if the comparison takes too long.
 */
export async function findNear(
  ctx: Context,
  opened: OpenSearch,
  mode: 'semantic' | 'hybrid',
  meaning: Meaning,
  { from, limit, choose }: HitsRequest,
): Promise<HitPage> {
  const { search, scope } = opened;
  const { near: nearest, comparedFrom } = await compare(ctx, scope, meaning);
  const {
    hits: all,
    oldestId,
    buckets,
  } = mode === 'semantic' ? hitsByMeaning(nearest) : await hitsByBoth(ctx, opened, meaning, nearest, from);
  const passing = search.checks.pass ? await search.checks.pass(ctx, all) : all;
  const sorted = passing.toSorted(byScore);
  const position = { phase: mode, buckets, isKnown: true, after: from.after };
  const { after } = from;
  const rest = choose
    ? await choose(ctx, sorted, position, limit + 1)
    : sorted.filter((one) => after === null || isAfter(one, after));
  const hits = rest.slice(0, limit).map((one) => ({ ...one, position: { ...position, after: one } }));
  const next = rest.length > limit ? (hits.at(-1)?.position ?? null) : null;
  return { hits, next, oldestId: newestId([oldestId, comparedFrom, meaning.comparedFrom]) };
}

interface ComparedHits {
  hits: Hit[];
  oldestId: string | null;
  /** The buckets whose messages with all words are among the hits, as far as there are any. */
  buckets: Buckets;
}

function hitsByMeaning(nearest: NearMessage[]): ComparedHits {
  const hits = nearOnly(nearest).map(({ id, cosine }) => ({
    id,
    score: Math.round(scoreMax * cosine),
  }));
  return { hits, oldestId: null, buckets: start.buckets };
}

function nearOnly(nearest: NearMessage[]): NearMessage[] {
  const least = Math.max(near.cosineMin, near.ofNearest * (nearest[0]?.cosine ?? 0));
  return nearest.filter(({ cosine }) => cosine >= least);
}

/** Messages found in either way are scored in both ways. Otherwise a message that only one way found would lack the other score. */
async function hitsByBoth(
  ctx: Context,
  { search }: OpenSearch,
  meaning: Meaning,
  nearest: NearMessage[],
  { buckets, after }: Position,
): Promise<ComparedHits> {
  const isFirst = after === null;
  const readFrom = (from: Position) =>
    withinTime(ctx, isFirst, (inside, budget) =>
      findHits(inside, search, { from, limit: hitsMax, mayLack: true }, budget),
    );
  // Later pages choose from the same messages, or some would be shown twice and some never.
  const rankedIn = (ranked: Buckets): Position => ({ ...start, buckets: ranked, isKnown: true });
  let found = await readFrom(isFirst ? start : rankedIn(buckets));
  const tiers = found.hits.flatMap(({ position }) => (position.phase === 'all' ? [position.buckets] : []));
  const ranked = isFirst ? { top: null, bottom: tiers.at(-1)?.bottom ?? null } : buckets;
  // The buckets of several tiers are ranked as one. Where each began depends on counts, which change.
  if (isFirst && tiers[0]?.bottom !== tiers.at(-1)?.bottom) found = await readFrom(rankedIn(ranked));
  const scores = new Map(found.hits.map(({ id, score }) => [id, score]));
  const cosines = new Map(nearOnly(nearest).map(({ id, cosine }) => [id, cosine]));
  const ids = [...new Set([...scores.keys(), ...cosines.keys()])];
  const others = await readCosines(
    ctx,
    meaning,
    ids.filter((id) => !cosines.has(id)),
  );
  const coverages = await readCoverages(ctx, search.terms, ids);
  const compared: Compared[] = ids.map((id) => ({
    id,
    keyword: scores.get(id) ?? null,
    coverage: coverages.get(id) ?? 0,
    cosine: cosines.get(id) ?? others.get(id) ?? null,
  }));
  return { hits: fuse(compared), oldestId: found.oldestId, buckets: ranked };
}

async function readCoverages(
  ctx: Context,
  terms: PlannedTerm[],
  ids: string[],
): Promise<Map<string, number>> {
  if (terms.length === 0 || ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; coverage: number }>`
    select id, ${coverageSql(scoredTerms(terms))}::float8 as coverage from unnest(${ids}::text[]) id cross join lateral (
      select ${unpackedWords} as words from search_messages where workspace_id = ${ctx.workspaceId} and message_id = id limit 1) as own`.execute(
    acrossWorkspaces(ctx, 'the rows are those of the workspace'),
  );
  return new Map(rows.map(({ id, coverage }) => [id, coverage]));
}

async function compare(ctx: Context, scope: SemanticScope, meaning: Meaning): Promise<Nearest> {
  const messages = hitsMax;
  let cause: unknown;
  for (const { ms, ...most } of attempts) {
    try {
      return await inTimedTransaction(ctx, ms, (inside) =>
        nearestMessages(inside, scope, meaning, { messages, ...most }),
      );
    } catch (error) {
      if (!isStatementTimeout(error)) throw error;
      cause = error;
    }
  }
  throw new EmbeddingError('The comparison took too long.', { mayPass: true, cause });
}

/** Returns the newest of some ids, without those that are null; null if all are. */
export function newestId(ids: (string | null)[]): string | null {
  return ids.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null);
}

/** The comparison of a message with a query in both ways. */
export interface Compared {
  id: string;
  /** Its score in keyword search, from 0 to `scoreMax`; null if that did not find it. */
  keyword: number | null;
  /** The share of the query's words that it has, by how much they tell. */
  coverage: number;
  /** Its similarity by meaning; null if that is not known. */
  cosine: number | null;
}

/** The parts of a score, and how much each counts. Tuned with `bench/search`, whose judged queries show the effect of a change. */
const fusion = {
  /** From this coverage on, a message counts as having all words. */
  complete: 0.999,
  /** For messages with all words: their keyword score and their similarity. */
  ofComplete: { keyword: 0.92, nearness: 0.08 },
  /** For others: a power of their coverage, and their similarity. */
  ofOthers: { coverage: 0.75, nearness: 0.25 },
  /** The minimum similarity that the nearest message is taken to have. If none is nearer, all of them count for less. */
  nearestMin: 0.4,
};

/**
 * Returns the messages with one score from both. Those that have all words of the query come first, which names and numbers need. Of the
 * others, few words in common count for little, and the meaning decides. Nearness is relative to the nearest message, because providers
 * differ in how near unrelated texts are.
 */
export function fuse(messages: Compared[]): Hit[] {
  const nearest = messages.reduce((max, { cosine }) => Math.max(max, cosine ?? 0), fusion.nearestMin);
  return messages.map((message) => {
    const nearness = Math.max(0, message.cosine ?? 0) / nearest;
    return { id: message.id, score: Math.round(scoreMax * fused(message, nearness)) };
  });
}

/** From 0.5 with all words, below otherwise. */
function fused({ keyword, coverage, cosine: _ }: Compared, nearness: number): number {
  const { complete, ofComplete, ofOthers } = fusion;
  if (coverage < complete)
    return 0.499 * (ofOthers.coverage * coverage ** 3.5 + ofOthers.nearness * nearness);
  const words = Math.max(0, (2 * (keyword ?? 0)) / scoreMax - 1);
  return 0.5 + 0.5 * (ofComplete.keyword * words + ofComplete.nearness * nearness);
}
