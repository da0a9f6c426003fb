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

/** What a query asks for. */
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
