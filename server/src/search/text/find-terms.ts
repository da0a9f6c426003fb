import type { QueryTerm } from './parsed-query.ts';
import { indexedStems, inflectedLexemes, type StemScheme } from './stem-of.ts';
import { stemSchemeOf } from './stem-scheme.ts';
import { type Token, tokensOf } from './tokens-of.ts';

/** What of a term is looked for in a text. */
export type WantedTerm = Pick<QueryTerm, 'kind' | 'words' | 'whole' | 'not' | 'prefix'>;

/** A match, in UTF-16 units of the text. */
export interface Found {
  /** The number of the term. */
  term: number;
  start: number;
  end: number;
}

interface Wanted {
  /** The terms of one word, by every lexeme that matches it. */
  byLexeme: Map<string, number>;
  /** The word that may be incomplete. */
  beginning: { word: string; term: number } | null;
  /** The other terms. */
  phrases: (WantedTerm & { term: number })[];
}

/** Returns the matches of the terms between two places of a text, in their order. Words match in any inflection, and phrases as they are. */
export function findTerms(text: string, from: number, to: number, terms: readonly WantedTerm[]): Found[] {
  const all = tokensOf(text.slice(from, to));
  const wanted = readWanted(terms);
  const scheme = stemSchemeOf(all);
  const known = new Map<string, number | null>();
  const found: Found[] = [];
  const add = (term: number, first: Token, last: Token) =>
    found.push({ term, start: from + first.start, end: from + last.end });
  // An emoji has no place of its own, so a phrase goes on after it.
  const tokens = all.filter((token) => !token.emoji || wanted.byLexeme.has(token.words[0]!));
  for (const [index, token] of tokens.entries()) {
    const match = matchWord(token, wanted, scheme, known);
    if (match !== null) {
      const count = match.word === token.whole?.lexeme ? token.whole.tokens : 1;
      add(match.term, token, tokens[index + count - 1] ?? token);
    }
    for (const phrase of wanted.phrases) {
      const count = countMatched(tokens, index, phrase);
      if (count > 0) add(phrase.term, token, tokens[index + count - 1]!);
    }
  }
  return found;
}

function readWanted(terms: readonly WantedTerm[]): Wanted {
  const wanted: Wanted = { byLexeme: new Map(), beginning: null, phrases: [] };
  for (const [term, { kind, words, prefix }] of terms.entries()) {
    if (kind !== 'word') {
      wanted.phrases.push({ ...terms[term]!, term });
      continue;
    }
    const word = words[0]!;
    for (const lexeme of inflectedLexemes(word)) {
      if (!wanted.byLexeme.has(lexeme)) wanted.byLexeme.set(lexeme, term);
    }
    if (prefix) wanted.beginning = { word, term };
  }
  return wanted;
}

/** Returns the term that a token matches by itself, and by which of its words. The terms of words that were seen before are in `known`. */
function matchWord(
  { words }: Token,
  { byLexeme, beginning }: Wanted,
  scheme: StemScheme,
  known: Map<string, number | null>,
): { term: number; word: string } | null {
  for (const word of words) {
    let term = known.get(word);
    if (term === undefined) {
      const lexeme = [word, ...indexedStems(word, scheme)].find((one) => byLexeme.has(one));
      const begins = beginning !== null && word.startsWith(beginning.word);
      term = lexeme !== undefined ? byLexeme.get(lexeme)! : begins ? beginning.term : null;
      known.set(word, term);
    }
    if (term !== null) return { term, word };
  }
  return null;
}

/** Returns of how many tokens the match of a phrase is made that begins at the index. */
function countMatched(tokens: Token[], index: number, { kind, words, whole, prefix }: WantedTerm): number {
  const { whole: joined, words: here } = tokens[index]!;
  if (whole !== null && joined?.lexeme === whole) return Math.min(joined.tokens, tokens.length - index);
  if (whole !== null && here.includes(whole)) return 1;
  const isThere = words.every((word, offset) => {
    const found = tokens[index + offset]?.words ?? [];
    return found.includes(word) || (prefix && offset === words.length - 1 && found[0]?.startsWith(word));
  });
  if (!isThere) return 0;
  // The last one of a run of pairs covers one more character.
  const isPair = kind === 'cjk' && [...words.at(-1)!].length > 1;
  return words.length + (isPair && tokens[index + words.length]?.cjk ? 1 : 0);
}
