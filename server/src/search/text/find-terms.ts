import type { Found } from './possible-terms.ts';
import { type PossiblePiece, possibleTerms } from './possible-terms.ts';
import type { QueryTerm } from './query-terms.ts';
import { readTokens, type Token } from './read-tokens.ts';
import { detectStemScheme, indexedStems, inflectedLexemes, type StemScheme } from './word-forms.ts';

/** A phrase to search for. */
interface WantedPhrase {
  /** 32 at most. */
  words: string[];
  /** Whether the last word is a prefix. */
  prefix: boolean;
}

/** The parts of a term that are searched for in a text. */
export type WantedTerm = Pick<QueryTerm, 'kind' | 'words' | 'whole' | 'not' | 'prefix'>;

/** The numbers of the tokens of a match, the last one included. */
interface Match {
  term: number;
  from: number;
  to: number;
}

/** The terms that one token can match, by every lexeme that does, and the word that may be incomplete. */
interface WantedWords {
  byLexeme: Map<string, number>;
  /** The first letters of the words, which no stem changes. */
  starts: Set<string>;
  beginning: { word: string; term: number } | null;
}

/** Finds the same terms in several texts. */
export interface TermFinder {
  /** The number of terms. */
  size: number;
  /**
   * Returns the place where a window of that many characters may contain the most terms. This takes much less time than finding the terms.
   */
  findPossible(text: string, within: number): PossiblePiece;
  /** Returns the matches of the terms, in their order. Words match in any inflection, and phrases as they are. */
  find(text: string): Found[];
}

/** Returns what finds these terms. Those with `not` are left out. */
export function termFinder(all: readonly WantedTerm[]): TermFinder {
  const terms = all.filter(({ not }) => !not);
  const wanted = wantedWords(terms);
  return {
    size: terms.length,
    findPossible: possibleTerms(terms),
    find: (text) => findTerms(text, terms, wanted),
  };
}

function findTerms(text: string, terms: readonly WantedTerm[], wanted: WantedWords): Found[] {
  const all = readTokens(text);
  // An emoji has no position of its own, so a phrase continues after it.
  const tokens = all.filter((token) => !token.emoji || wanted.byLexeme.has(token.words[0]!));
  const matches = findWords(tokens, wanted, detectStemScheme(all));
  for (const [term, { kind, words, prefix }] of terms.entries()) {
    if (kind === 'word') continue;
    const isLast = phraseMatcher({ words, prefix });
    // The last one of a run of pairs covers one more character.
    const isPair = kind === 'cjk' && [...words.at(-1)!].length > 1;
    for (const [index, token] of tokens.entries()) {
      if (!isLast(token)) continue;
      const last = isPair && tokens[index + 1]?.cjk ? index + 1 : index;
      matches.push({ term, from: index - words.length + 1, to: last });
    }
  }
  return matches
    .map(({ term, from, to }) => ({ term, start: tokens[from]!.start, end: tokens[to]!.end }))
    .toSorted((a, b) => a.start - b.start || b.end - a.end);
}

function wantedWords(terms: readonly WantedTerm[]): WantedWords {
  const wanted: WantedWords = { byLexeme: new Map(), starts: new Set(), beginning: null };
  for (const [term, { kind, words, whole, prefix }] of terms.entries()) {
    const lexemes = kind === 'word' ? inflectedLexemes(words[0]!) : [];
    if (kind === 'word') wanted.starts.add(firstLetters(words[0]!));
    if (whole !== null) lexemes.push(whole);
    for (const lexeme of lexemes) if (!wanted.byLexeme.has(lexeme)) wanted.byLexeme.set(lexeme, term);
    if (prefix) wanted.beginning = { word: whole ?? words.at(-1)!, term };
  }
  return wanted;
}

function findWords(tokens: Token[], wanted: WantedWords, scheme: StemScheme): Match[] {
  const termByWord = new Map<string, number | null>();
  const matches: Match[] = [];
  for (const [index, token] of tokens.entries()) {
    for (const word of token.words) {
      const seen = termByWord.get(word);
      const term = seen === undefined ? matchTerm(word, wanted, scheme) : seen;
      if (seen === undefined) termByWord.set(word, term);
      if (term === null) continue;
      const count = word === token.whole?.lexeme ? token.whole.tokens : 1;
      matches.push({ term, from: index, to: Math.min(index + count, tokens.length) - 1 });
    }
  }
  return matches;
}

function firstLetters(word: string): string {
  return word.slice(0, 2);
}

function matchTerm(word: string, wanted: WantedWords, scheme: StemScheme): number | null {
  const { byLexeme, beginning, starts } = wanted;
  const itself = byLexeme.get(word);
  if (itself !== undefined) return itself;
  // Stemming takes longer than all the rest, and most words of a text have nothing to do with the query.
  const stems = starts.has(firstLetters(word)) ? indexedStems(word, scheme) : [];
  const stem = stems.find((lexeme) => byLexeme.has(lexeme));
  if (stem !== undefined) return byLexeme.get(stem)!;
  return beginning !== null && word.startsWith(beginning.word) ? beginning.term : null;
}

/**
 * Returns a function that is called with one token after another, and says whether the phrase ends with this one. Each call takes the
 * same time, whatever the phrase and the text (the shift-and algorithm, with one bit for each word).
 */
function phraseMatcher({ words, prefix }: WantedPhrase): (token: Token) => boolean {
  const bits = new Map<string, number>();
  for (const [place, word] of words.entries()) bits.set(word, (bits.get(word) ?? 0) | (1 << place));
  const last = words.at(-1)!;
  const lastBit = 1 << (words.length - 1);
  let state = 0;
  return (token) => {
    let here = 0;
    for (const word of token.words) here |= bits.get(word) ?? 0;
    if (prefix && token.words[0]!.startsWith(last)) here |= lastBit;
    state = ((state << 1) | 1) & here;
    return (state & lastBit) !== 0;
  };
}
