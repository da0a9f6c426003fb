import { stemmer } from 'stemmer';

const english = /^[a-z]{4,24}$/;
const rememberedMax = 20_000;
const remembered = new Map<string, string>();

/** Returns the English stem of a folded word (Porter), or the word itself if it has none, such as a number or a word of another script. */
export function stemOf(word: string): string {
  if (!english.test(word)) return word;
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const stem = stemmer(word);
  const kept = stem.length < 3 ? word : stem;
  if (remembered.size >= rememberedMax) remembered.clear();
  remembered.set(word, kept);
  return kept;
}

/**
 * Returns the lexemes of which a document has at least one if it contains the word or an inflection of it: the word, the lexeme of its stem
 * (`~invoic`), and the stem as a word. The word itself comes first.
 */
export function inflectedLexemes(word: string): string[] {
  const stem = stemOf(word);
  return stem === word ? [word, `~${word}`] : [word, `~${stem}`, stem];
}
