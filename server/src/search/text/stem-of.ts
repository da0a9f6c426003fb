import { stemmer } from 'stemmer';

/**
 * How the words of a document are stemmed: by the rules of English, by the endings of German, French, Spanish and Italian nouns, or both
 * where its language is not clear.
 */
export type StemScheme = 'english' | 'light' | 'both';

const stemmed = /^[a-z]{4,24}$/;
const stemLengthMin = 3;
const lightStemLengthMin = 4;
/** The longest first. */
const endings = ['ern', 'en', 'er', 'es', 'em', 'os', 'as', 'e', 's', 'o', 'a'];

/** Returns the English stem of a folded word (Porter), or the word itself if it has none, such as a number or a word of another script. */
export function stemOf(word: string): string {
  if (!stemmed.test(word)) return word;
  const stem = stemmer(word);
  return stem.length < stemLengthMin ? word : stem;
}

/** Returns the word without the ending of a plural or a case, by rules that hold for several languages. */
export function lightStemOf(word: string): string {
  if (!stemmed.test(word)) return word;
  if (word.endsWith('eln')) return word.slice(0, -1);
  const ending = endings.find((end) => word.endsWith(end) && word.length - end.length >= lightStemLengthMin);
  return ending === undefined ? word : word.slice(0, -ending.length);
}

/**
 * Returns the lexemes that a document has in addition to the word: `~invoic` for the English stem of `invoices`, if it differs from the
 * word, and `=rechnung` for the light stem of `Rechnungen`.
 */
export function indexedStems(word: string, scheme: StemScheme): string[] {
  if (!stemmed.test(word)) return [];
  const stems: string[] = [];
  const stem = scheme === 'light' ? word : stemOf(word);
  if (stem !== word) stems.push(`~${stem}`);
  if (scheme !== 'english') stems.push(`=${lightStemOf(word)}`);
  return stems;
}

/**
 * Returns the lexemes of which a document has at least one if it contains the word or an inflection of it, as few as possible. A document
 * with a word that has a stem has one of the two stems, too.
 */
export function matchingLexemes(word: string): string[] {
  const [itself, ...stems] = inflectedLexemes(word);
  return stemOf(word) === word ? [itself as string, ...stems] : stems;
}

/** Returns all such lexemes, the word itself first. */
export function inflectedLexemes(word: string): string[] {
  if (!stemmed.test(word)) return [word];
  const stem = stemOf(word);
  // A word that is its own stem has no lexeme for the stem.
  return [word, ...(stem === word ? [] : [stem]), `~${stem}`, `=${lightStemOf(word)}`];
}
