import type { Candidate } from './match-slice.ts';
import { scoreMax } from './score.ts';

/** How a message compares with a query in both ways. */
export interface Compared {
  id: string;
  /** Its score in keyword search, from 0 to `scoreMax`; null if that did not find it. */
  keyword: number | null;
  /** The share of the query's words that it has, by how much they tell. */
  coverage: number;
  /** How near it is by meaning; null if that is not known. */
  cosine: number | null;
}

/** What counts, and how much. Tuned with `bench/search`, whose judged queries show the effect of a change. */
export const fusion = {
  /** A message counts as having all words from here on. */
  complete: 0.999,
  /** Of messages with all words: their keyword score, and how near they are. */
  ofComplete: { keyword: 0.92, nearness: 0.08 },
  /** Of others: a power of their coverage, and how near they are. */
  ofOthers: { coverage: 0.75, nearness: 0.25 },
  /** How near the nearest message is at least taken to be. If none is nearer, all of them count for less. */
  nearestMin: 0.4,
};

/**
 * Returns the messages with one score from both. Those that have all words of the query come first, which names and numbers need. Of the
 * others, few words in common count for little, and the meaning decides. Nearness is relative to the nearest message, because providers
 * differ in how near unrelated texts are.
 */
export function fuse(messages: Compared[]): Candidate[] {
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
