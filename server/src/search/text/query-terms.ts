import { readTokens, type Token } from './read-tokens.ts';

/** Words that a message must contain, or must not. */
export interface QueryTerm {
  /**
   * `word`: one word, in any inflection (`inflectedLexemes`). `phrase`: words next to each other, as they are. `cjk`: characters in
   * pairs, next to each other as a rule; a longer run may be a sentence, so that most of its pairs are a match, too.
   */
  kind: 'word' | 'phrase' | 'cjk';
  /** Lexemes, at places that follow each other. Never empty. */
  words: string[];
  /** A lexeme that matches in place of all words, such as `inv20260419` in place of `inv`, `2026`, `0419`; null if there is none. */
  whole: string | null;
  not: boolean;
  /** The end may still be incomplete: that of `whole` or, without one, of the last of the words. It has at least three characters. */
  prefix: boolean;
  /** As it was typed. */
  raw: string;
}

/** The value of an operator such as `from:`. */
export interface QueryFilter {
  value: string;
  /** It was in quotation marks. */
  phrase: boolean;
  not: boolean;
}

/** The operators that take any value. */
export type FilterName = 'from' | 'to' | 'subject' | 'label' | 'filename' | 'in';

/** A query, taken apart. */
export interface ParsedQuery extends Record<FilterName, QueryFilter[]> {
  terms: QueryTerm[];
  hasAttachment?: boolean;
  direction?: 'inbound' | 'outbound';
  /** Inclusive. */
  after?: Date;
  /** Exclusive. */
  before?: Date;
  /** The words without operators and without excluded words, for embeddings. */
  text: string;
}

/** A part of a query: an operator with its value, or words. */
export interface ClauseText {
  operator: FilterName | 'has' | 'is' | 'after' | 'before' | null;
  value: string;
  /** It was in quotation marks. */
  phrase: boolean;
  not: boolean;
  /** As it was typed. */
  raw: string;
  /** The query ends with it, with no space after it, so that its last word may be incomplete. */
  last: boolean;
}

const prefixLengthMin = 3;
const phraseWordsMax = 32;

/** Returns the terms of words of a query: one for a phrase, else one for each compound, word and run of characters in pairs. */
export function queryTerms(clause: ClauseText): QueryTerm[] {
  const all = readTokens(clause.value);
  const places = all.filter((token) => token.emoji !== true);
  const tokens = places.length > 0 ? places : all.slice(0, 1);
  if (tokens.length === 0) return [];
  if (clause.phrase) return [phraseTerm(tokens, clause)];
  const terms = splitRuns(tokens).map((run) => wordTerm(run, clause));
  const final = terms.at(-1)!;
  const isWhole = tokens.at(-1)!.end === clause.value.length;
  const end = final.whole ?? final.words.at(-1)!;
  final.prefix =
    clause.last && isWhole && !final.not && final.kind !== 'cjk' && end.length >= prefixLengthMin;
  return terms;
}

function phraseTerm(tokens: Token[], { not, raw }: ClauseText): QueryTerm {
  const words = tokens.slice(0, phraseWordsMax).map((token) => token.words[0]!);
  return { kind: 'phrase', words, whole: null, not, prefix: false, raw };
}

function splitRuns(tokens: Token[]): Token[][] {
  const runs: Token[][] = [];
  let from = 0;
  while (from < tokens.length) {
    let end = from + (tokens[from]!.whole?.tokens ?? 1);
    if (tokens[from]!.cjk) {
      while (end < tokens.length && tokens[end]!.cjk && tokens[end - 1]!.end === tokens[end]!.start) end += 1;
    }
    runs.push(tokens.slice(from, end));
    from = end;
  }
  return runs;
}

function wordTerm(run: Token[], { value, not }: ClauseText): QueryTerm {
  const first = run[0]!;
  const words = run.slice(0, phraseWordsMax).map((token) => token.words[0]!);
  const raw = value.slice(first.start, run.at(-1)!.end);
  const rest = { whole: first.whole?.lexeme ?? null, not, prefix: false, raw };
  if (first.cjk) {
    // The last character alone says nothing that the pair before it does not.
    return { kind: 'cjk', words: words.length > 1 ? words.slice(0, -1) : words, ...rest };
  }
  return { kind: words.length > 1 ? 'phrase' : 'word', words, ...rest };
}
