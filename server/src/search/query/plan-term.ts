import type { QueryTerm } from '../text/query-terms.ts';
import { inflectedLexemes, matchingLexemes } from '../text/word-forms.ts';
import { allOfParts, anyLexeme, anyOfParts, nextToEachOther, oneLexeme } from './index-query.ts';

/** A way in which a message can have a term, and its weight. */
export interface TermForm {
  lexemes: string[];
  /** Whether a message is to have all of the lexemes, or any. */
  of: 'all' | 'any';
  /** From 0 to 1. */
  share: number;
}

/** A part of the query as the index is asked for it. */
export interface PlannedTerm {
  /** The tsquery that it matches by. */
  match: string;
  /** The tsquery that the index is asked for. It matches the same messages, and maybe others. */
  index: string;
  forms: TermForm[];
  /** Quoted phrases always have to match. Words do not where few messages have all of them. */
  isRequired: boolean;
  /** The information of the term about a message: the rarer, the more. */
  idf: number;
  /** Whether no message has it, in any spelling. */
  isMissing: boolean;
  /** About how many messages have it at most; null if the vocabulary does not tell. */
  count: number | null;
  /** About how many messages probably have it; null if the vocabulary does not tell. A phrase is rarer than each of its words. */
  likely: number | null;
}

/** The words of the vocabulary that stand for a term. */
export interface TermWords {
  /** Words that begin with it, where it is the last word of the query. */
  beginnings: string[];
  /** Words that it may be a misspelling of, where no message has the word itself. */
  corrections: string[];
}

const share = { inflected: 0.8, beginning: 0.6, correction: 0.5, apart: 0.5 } as const;

/** The way in which a term is looked up. */
export type Lookup = Pick<PlannedTerm, 'match' | 'forms'>;

/** Returns how a term is looked up and what each way is worth. */
export function lookUpTerm(term: QueryTerm, words: TermWords): Lookup {
  if (term.kind === 'word') return ofWord(term, words);
  if (term.kind === 'cjk') return ofRun(term);
  return term.whole === null ? ofPhrase(term.words) : ofCompound(term.words, term.whole, words.beginnings);
}

function ofWord({ words, whole }: QueryTerm, { beginnings, corrections }: TermWords): Lookup {
  const [itself, ...inflected] = inflectedLexemes(words[0] as string);
  const corrected = corrections.flatMap(inflectedLexemes);
  const forms = [
    { lexemes: [itself as string, ...(whole === null ? [] : [whole])], of: 'any', share: 1 },
    // One word may have several of these lexemes, and still is one word.
    ...inflected.map((lexeme) => ({ lexemes: [lexeme], of: 'any', share: share.inflected })),
    { lexemes: beginnings, of: 'any', share: share.beginning },
    { lexemes: corrected, of: 'any', share: share.correction },
  ].map((form) => ({ ...form, lexemes: [...new Set(form.lexemes)] })) as TermForm[];
  const some = forms.filter(({ lexemes }) => lexemes.length > 0);
  const any = [itself as string, ...corrections].flatMap(matchingLexemes);
  const match = [...new Set([...any, ...(whole === null ? [] : [whole]), ...beginnings])];
  return { match: anyLexeme(match), forms: some };
}

/** Characters of a script without spaces: all pairs have to be there. */
function ofRun({ words, whole }: QueryTerm): Lookup {
  const pairs = allOfParts(words.map(oneLexeme));
  const forms: TermForm[] = [{ lexemes: [...new Set(words)], of: 'all', share: 1 }];
  if (whole === null) return { match: pairs, forms };
  forms.push({ lexemes: [whole], of: 'any', share: 1 });
  return { match: anyOfParts([oneLexeme(whole), pairs]), forms };
}

function ofPhrase(words: string[]): Lookup {
  const match = nextToEachOther(words.map(oneLexeme));
  return { match, forms: [{ lexemes: [...new Set(words)], of: 'all', share: 1 }] };
}

/** Such as an order number: written as it is here, or with other marks between its parts. */
function ofCompound(words: string[], whole: string, beginnings: string[]): Lookup {
  const forms = [
    { lexemes: [whole], of: 'any', share: 1 },
    { lexemes: beginnings, of: 'any', share: share.beginning },
    { lexemes: [...new Set(words)], of: 'all', share: share.apart },
  ] as TermForm[];
  const match = anyOfParts([anyLexeme([whole, ...beginnings]), nextToEachOther(words.map(oneLexeme))]);
  return { match, forms: forms.filter(({ lexemes }) => lexemes.length > 0) };
}
