import { stemmer } from 'stemmer';
import type { Token } from './read-tokens.ts';

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
export function englishStem(word: string): string {
  if (!stemmed.test(word)) return word;
  const stem = stemmer(word);
  return stem.length < stemLengthMin ? word : stem;
}

/** Returns the word without the ending of a plural or a case, by rules that hold for several languages. */
export function lightStem(word: string): string {
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
  const stem = scheme === 'light' ? word : englishStem(word);
  if (stem !== word) stems.push(`~${stem}`);
  if (scheme !== 'english') stems.push(`=${lightStem(word)}`);
  return stems;
}

/**
 * Returns the lexemes of which a document has at least one if it contains the word or an inflection of it, as few as possible. A document
 * with a word that has a stem has one of the two stems, too.
 */
export function matchingLexemes(word: string): string[] {
  const [itself, ...stems] = inflectedLexemes(word);
  return englishStem(word) === word ? [itself as string, ...stems] : stems;
}

/** Returns all such lexemes, the word itself first. */
export function inflectedLexemes(word: string): string[] {
  if (!stemmed.test(word)) return [word];
  const stem = englishStem(word);
  // A word that is its own stem has no lexeme for the stem.
  return [word, ...(stem === word ? [] : [stem]), `~${stem}`, `=${lightStem(word)}`];
}

const english = new Set(
  'the and of to for you your this that with our have from please it be has will not but they there which would can'.split(
    ' ',
  ),
);
const others = new Set(
  [
    'der das den und ist nicht mit ein eine fur ich sie wir auf von zu im bei auch',
    'le la les des est pour vous nous avec une et dans sur votre notre que qui pas du',
    'el los las por para con una que su del y se al muy esta',
    'il di che non per della sono nel gli',
    'een het van voor niet wij uw',
    'nao com uma os seu sua dos das ao',
  ].flatMap((words) => words.split(' ')),
);

const tokensMax = 500;
const hitsMin = 3;

/** Returns how the words of a text are to be stemmed. The small words of its beginning tell the language. */
export function detectStemScheme(tokens: readonly Token[]): StemScheme {
  let englishHits = 0;
  let otherHits = 0;
  for (const { words } of tokens.slice(0, tokensMax)) {
    if (english.has(words[0]!)) englishHits += 1;
    if (others.has(words[0]!)) otherHits += 1;
  }
  if (englishHits >= hitsMin && englishHits >= 2 * otherHits) return 'english';
  return otherHits >= hitsMin && otherHits >= 2 * englishHits ? 'light' : 'both';
}

const correctable = /^\p{L}{4,24}$/u;

/**
 * Returns hashes (signed, 32 bits) of the word and of the word without each one of its characters, mixed with the workspace. Two words
 * that differ by one typo (a letter too many, too few, wrong, or swapped with its neighbour) share at least one. Returns none for words
 * under four letters and for anything with digits, where a near match would be wrong.
 */
export function typoHashes(workspaceId: string, word: string): number[] {
  if (!correctable.test(word)) return [];
  const seed = hash(0x811c9dc5, workspaceId);
  const hashes = new Set([hash(seed, word)]);
  const letters = [...word];
  for (let left = 0; left < letters.length; left += 1)
    hashes.add(hash(seed, letters.toSpliced(left, 1).join('')));
  return [...hashes];
}

// FNV-1a over UTF-16 units, with a final mix, because close words must not have close hashes.
function hash(seed: number, text: string): number {
  let value = seed;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) | 0;
}

/** Returns whether one typo turns a word into the other: one letter inserted, left out, replaced, or swapped with its neighbour. */
export function editDistanceIsOne(left: string, right: string): boolean {
  if (left === right) return false;
  const [short, long] = [[...left], [...right]].toSorted((a, b) => a.length - b.length) as [
    string[],
    string[],
  ];
  if (long.length - short.length > 1) return false;
  let from = 0;
  while (from < short.length && short[from] === long[from]) from += 1;
  let end = 0;
  while (end < short.length - from && short[short.length - 1 - end] === long[long.length - 1 - end]) end += 1;
  const [shortRest, longRest] = [short.length - from - end, long.length - from - end];
  if (longRest === 1 && shortRest <= 1) return true;
  return (
    shortRest === 2 && longRest === 2 && short[from] === long[from + 1] && short[from + 1] === long[from]
  );
}

/**
 * Returns whether at most two typos turn a word into the other. A letter that was swapped with its neighbour is not changed by another
 * typo.
 */
export function isWithinTwoTypos(left: string, right: string): boolean {
  const [one, other] = [[...left], [...right]];
  if (Math.abs(one.length - other.length) > 2) return false;
  let [beforeLast, last]: [number[], number[]] = [
    [],
    Array.from({ length: other.length + 1 }, (_, at) => at),
  ];
  for (const [row, letter] of one.entries()) {
    const next = [row + 1];
    for (const [at, compared] of other.entries()) {
      let least = Math.min(next[at]! + 1, last[at + 1]! + 1, last[at]! + (letter === compared ? 0 : 1));
      if (letter === other[at - 1] && compared === one[row - 1])
        least = Math.min(least, beforeLast[at - 1]! + 1);
      next.push(least);
    }
    if (Math.min(...next) > 2) return false;
    [beforeLast, last] = [last, next];
  }
  return last[other.length]! <= 2;
}
