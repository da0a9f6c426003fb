import type { Context } from '../../context.ts';
import type { QueryTerm } from '../text/query-terms.ts';
import { allOfParts, noPart, oneLexeme } from './index-query.ts';
import { lookUpTerm, type PlannedTerm } from './plan-term.ts';
import { type Wording, wordingMax } from './search-cursor.ts';
import { findCorrections, type KnownWord, type LookedUp, type LookUp, lookUpWords } from './vocabulary.ts';

/** The terms of a search as the index is asked for them, and what has to be kept for its next page. */
export interface PlannedTerms {
  terms: PlannedTerm[];
  wording: Wording;
  /** About which share of all messages passes the filters, as far as that is counted; from 0 to 1. */
  share: number;
}

/** A run of a script without spaces that is longer than this has as many terms as pairs, so that most of them may be enough. */
const runPairsMax = 3;
/** The assumed share of all messages for a word that the vocabulary does not count. */
const unknownShare = 0.02;

/** The rest of a longer query is ignored. A cursor has room for the weights of this many terms. */
const wantedTermsMax = 32;

/** Returns the positive terms, with long runs of scripts without spaces taken apart. */
export function wantedTerms(terms: QueryTerm[]): QueryTerm[] {
  return terms
    .filter(({ not }) => !not)
    .flatMap((term) =>
      term.kind === 'cjk' && term.words.length > runPairsMax && !isQuoted(term)
        ? term.words.map((word) => ({ ...term, words: [word] }))
        : [term],
    )
    .slice(0, wantedTermsMax);
}

/** Returns the tsqueries of the words that a message must not have, in any form. */
export function withoutTerms(terms: QueryTerm[]): string[] {
  const words = { beginnings: [], corrections: [] };
  return terms.filter(({ not }) => not).map((term) => noPart(lookUpTerm(term, words).match));
}

function isQuoted(term: QueryTerm): boolean {
  return term.kind === 'phrase' && term.whole === null;
}

/**
 * Asks the vocabulary how rare the terms are among `total` messages, what the last one may become, what may be misspelled, and which
 * share of the messages has all of the facets.
 */
export async function planTerms(
  ctx: Context,
  { wanted, facets, ...among }: { wanted: QueryTerm[]; facets: string[]; total: number },
): Promise<PlannedTerms> {
  const vocabulary = ctx.scope.inboxIds === null ? wholeVocabulary(ctx, among.total) : noVocabulary;
  const { total } = vocabulary;
  const words = [...new Set(wanted.flatMap((term) => (term.kind === 'cjk' ? [] : term.words)))];
  const last = wanted.find(({ prefix }) => prefix);
  const known = await vocabulary.lookUp({ words, incomplete: last ? incompletePart(last) : null, facets });
  const { counts, completions } = known;
  const completed = completions.reduce((sum, { n }) => sum + n, 0);
  const ofTerm = (term: QueryTerm) => countTerm(term, counts, term === last ? completed : 0);
  const unknown = wanted.filter((term) => term.kind === 'word' && ofTerm(term) === 0);
  const corrections = await vocabulary.correct(unknown.map((term) => term.words[0] as string));
  const correctionsFor = (term: QueryTerm) =>
    unknown.includes(term) ? (corrections.get(term.words[0] as string) ?? []) : [];
  const isMissing = (term: QueryTerm) => unknown.includes(term) && correctionsFor(term).length === 0;
  const wording = {
    idfs: withoutMissing(
      wanted.map((term) =>
        inverseFrequency(ofTerm(term) ?? (term.kind === 'cjk' ? total * unknownShare : 1), total),
      ),
      (place) => isMissing(wanted[place]!),
    ).map((idf, place) => Math.round(100 * idf) * (isMissing(wanted[place]!) ? -1 : 1)),
    endings: last
      ? keepEndings(
          incompletePart(last),
          completions.map(({ word }) => word),
        )
      : [],
    corrections: keepCorrections(
      new Map(wanted.map((term, place) => [place, correctionsFor(term).map(({ word }) => word)])),
    ),
  };
  const planned = applyWording(wanted, wording);
  return {
    wording,
    share: sharePassing(facets, known.facets, total),
    terms: planned.map((term, place) => {
      const count = ofTerm(wanted[place]!);
      const corrected = correctionsFor(wanted[place]!).reduce((sum, { n }) => sum + n, 0);
      const index = indexLookup(wanted[place]!, term.match, (word) => isCommon(counts.get(word), total));
      if (count === null) return { ...term, index };
      const words = wanted[place]!.words.map((word) => counts.get(word) ?? count);
      const likely = words.length > 1 ? likelyTogether(words, total) : count;
      return { ...term, index, count: count + corrected, likely: likely + corrected };
    }),
  };
}

/** Knows how rare words are. */
interface Vocabulary {
  /** The messages among which it counts. */
  total: number;
  lookUp(wanted: LookUp): Promise<LookedUp>;
  /** Returns the words that each of these may be a misspelling of, the most frequent first. */
  correct(words: string[]): Promise<Map<string, KnownWord[]>>;
}

/**
 * For a key that is limited to inboxes. It knows no word, so that neither the ranks nor what words are completed to or taken for tell of
 * the mail of others. All words weigh the same.
 */
const noVocabulary: Vocabulary = {
  total: 1,
  lookUp: async () => ({ counts: new Map(), completions: [], facets: new Map() }),
  correct: async () => new Map(),
};

/** The vocabulary of a workspace with so many messages. */
function wholeVocabulary(ctx: Context, total: number): Vocabulary {
  return {
    total,
    lookUp: (wanted) => lookUpWords(ctx, wanted),
    correct: (words) => findCorrections(ctx, words),
  };
}

/** The index is not asked for the words of a phrase that are in most messages anyway. */
function indexLookup(term: QueryTerm, match: string, isUsual: (word: string) => boolean): string {
  const rarer = term.words.filter((word) => !isUsual(word));
  const isShorter = isQuoted(term) && rarer.length > 0 && rarer.length < term.words.length;
  return isShorter ? allOfParts(rarer.map(oneLexeme)) : match;
}

/** Returns the terms as the first page of the search planned them. */
export function applyWording(wanted: QueryTerm[], { idfs, endings, corrections }: Wording): PlannedTerm[] {
  return wanted.map((term, place) => {
    const beginnings = term.prefix ? endings.map((ending) => incompletePart(term) + ending) : [];
    const forms = lookUpTerm(term, { beginnings, corrections: corrections.get(place) ?? [] });
    const weight = (idfs[place] ?? 100) / 100;
    return {
      ...forms,
      index: forms.match,
      isRequired: isQuoted(term),
      idf: Math.abs(weight),
      isMissing: weight < 0,
      count: null,
      likely: null,
    };
  });
}

/**
 * Returns about how many messages have several things at once, of which each is in so many. They neither have nothing to do with each other
 * nor always come together, so this is between the two (their geometric mean).
 */
export function likelyTogether(counts: number[], total: number): number {
  const [least = 0, ...others] = counts.toSorted((a, b) => a - b);
  return others.reduce((likely, count) => likely * Math.sqrt(Math.min(1, count / Math.max(1, total))), least);
}

/** The part of a term that may be incomplete. */
function incompletePart({ words, whole }: QueryTerm): string {
  return whole ?? (words.at(-1) as string);
}

/** Returns how many messages have a term at most: as many as have its rarest word; null if that is unknown. */
function countTerm(term: QueryTerm, counts: Map<string, number | null>, completed: number): number | null {
  const known = term.words.map((word, index) => {
    const count = counts.get(word) ?? null;
    return count === null ? null : count + (index === term.words.length - 1 ? completed : 0);
  });
  return known.reduce(
    (least, count) => (least === null || (count !== null && count < least) ? count : least),
    null,
  );
}

/** As if no filter had to do with another. A facet that is not counted may be in all messages. */
function sharePassing(facets: string[], counts: Map<string, number>, total: number): number {
  const shares = facets.map((facet) => Math.min(1, (counts.get(facet) ?? total) / Math.max(1, total)));
  return shares.reduce((product, one) => product * one, 1);
}

/** Whether at least half of all messages have a word that so many have. */
function isCommon(count: number | null | undefined, total: number): boolean {
  return (count ?? 0) * 2 >= total;
}

/** The inverse document frequency, as BM25 has it. A word that no message has tells no more than one that a single message has. */
function inverseFrequency(count: number, total: number): number {
  const n = Math.max(1, count);
  const all = Math.max(total, n);
  return Math.log(1 + (all - n + 0.5) / (n + 0.5)) + 0.05;
}

/** A word that no message has, in any spelling, tells no more than the least of the others, so that these are enough. */
function withoutMissing(idfs: number[], isMissing: (place: number) => boolean): number[] {
  const least = Math.min(...idfs.filter((_, place) => !isMissing(place)));
  return idfs.map((idf, place) => (isMissing(place) ? Math.min(idf, least) : idf));
}

function keepEndings(word: string, completions: string[]): string[] {
  const endings = completions.map((one) => one.slice(word.length));
  return withinBytes(endings, wordingMax.endings);
}

function keepCorrections(corrections: Map<number, string[]>): Map<number, string[]> {
  let left = wordingMax.corrections;
  const kept = new Map<number, string[]>();
  for (const [place, words] of corrections) {
    const some = withinBytes(words, left);
    left -= listBytes(some);
    if (some.length > 0) kept.set(place, some);
  }
  return kept;
}

/** Returns the first words that fit, separated by spaces. */
function withinBytes(words: string[], bytesMax: number): string[] {
  let kept = words.length;
  while (kept > 0 && listBytes(words.slice(0, kept)) > bytesMax) kept -= 1;
  return words.slice(0, kept);
}

function listBytes(words: string[]): number {
  return Buffer.byteLength(words.join(' ')) + 3;
}
