/** Words that a message must contain, or must not. */
export interface QueryTerm {
  /** `word`: one word, in any inflection. `phrase`: words next to each other, as they are. `cjk`: a run of bigrams, best next to each other. */
  kind: 'word' | 'phrase' | 'cjk';
  /** Lexemes, at places that follow each other. */
  words: string[];
  /** A lexeme that matches in place of all words, such as `inv20260419` in place of `inv`, `2026`, `0419`; null if there is none. */
  whole: string | null;
  not: boolean;
  /** The last word may still be incomplete. It has at least three characters. */
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
