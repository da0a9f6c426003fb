import type { QueryTerm } from '../text/parsed-query.ts';
import { inflectedLexemes } from '../text/stem-of.ts';
import { allOfParts, anyLexeme, anyOfParts, nextToEachOther, oneLexeme } from './lexeme-query.ts';

/** A way in which a message may have a term, and how much that is worth. */
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
  forms: TermForm[];
  /** Quoted phrases always have to match. Words do not where few messages have all of them. */
  isRequired: boolean;
  /** How much the term tells of a message: the rarer, the more. */
  idf: number;
  /** About how many messages have it at most; null if the vocabulary does not tell. */
  count: number | null;
}

/** What the vocabulary knows of a term. */
export interface TermWords {
  /** Words that begin with it, where it is the last word of the query. */
  beginnings: string[];
  /** Words that it may be a misspelling of, where no message has the word itself. */
  corrections: string[];
}

const share = { inflected: 0.8, beginning: 0.6, correction: 0.5, apart: 0.5 } as const;

/** Returns how a term is looked up and what each way is worth. */
export function formsOf(term: QueryTerm, words: TermWords): Pick<PlannedTerm, 'match' | 'forms'> {
  if (term.kind === 'word') return ofWord(term.words[0] as string, words);
  if (term.kind === 'cjk') return ofRun(term.words);
  return term.whole === null ? ofPhrase(term.words) : ofCompound(term.words, term.whole, words.beginnings);
}

function ofWord(word: string, { beginnings, corrections }: TermWords): Pick<PlannedTerm, 'match' | 'forms'> {
  const [itself, ...inflected] = inflectedLexemes(word);
  const corrected = corrections.flatMap(inflectedLexemes);
  const forms = [
    { lexemes: [itself as string], of: 'any', share: 1 },
    { lexemes: inflected, of: 'any', share: share.inflected },
    { lexemes: beginnings, of: 'any', share: share.beginning },
    { lexemes: [...new Set(corrected)], of: 'any', share: share.correction },
  ].filter(({ lexemes }) => lexemes.length > 0) as TermForm[];
  return { match: anyLexeme(forms.flatMap(({ lexemes }) => lexemes)), forms };
}

/** Characters of a script without spaces: all pairs have to be there, and it is worth more if they follow each other. */
function ofRun(words: string[]): Pick<PlannedTerm, 'match' | 'forms'> {
  return { match: allOfParts(words.map(oneLexeme)), forms: [{ lexemes: words, of: 'all', share: 1 }] };
}

function ofPhrase(words: string[]): Pick<PlannedTerm, 'match' | 'forms'> {
  return { match: nextToEachOther(words.map(oneLexeme)), forms: [{ lexemes: words, of: 'all', share: 1 }] };
}

/** Such as an order number: written as it is here, or with other marks between its parts. */
function ofCompound(
  words: string[],
  whole: string,
  beginnings: string[],
): Pick<PlannedTerm, 'match' | 'forms'> {
  const parts = words.map((word, index) =>
    index === words.length - 1 ? anyLexeme([word, ...beginnings]) : oneLexeme(word),
  );
  return {
    match: anyOfParts([oneLexeme(whole), nextToEachOther(parts)]),
    forms: [
      { lexemes: [whole], of: 'any', share: 1 },
      { lexemes: words, of: 'all', share: share.apart },
    ],
  };
}
