/** What a character is to the search: the end of a word, a part of one, or something between. */
export const characterClass = {
  /** Ends a word and everything that words are joined to. */
  gap: 1,
  letter: 2,
  digit: 3,
  /** Belongs to the character in front of it, whatever that is. */
  mark: 4,
  /** Of a script without spaces between words, or, as Hangul, with words that are put together. */
  dense: 5,
  /** Punctuation that may join words, as in `INV-2026` or `ada@example.com`. */
  joiner: 6,
  /** Is skipped as if it were not there, such as a soft hyphen. */
  invisible: 7,
  emoji: 8,
} as const;

const joiners = new Set("-_./\\'’ʼ׳&+@:,\u2010\u2011\u2012\u2013\u2212＇－＠．／＿，：＆＋");
const invisible = /^[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\u0640]$/u;
/** Vowels and endings of Korean syllables that are written letter by letter, and the voice marks of narrow Kana. */
const trailing = /^[\u1160-\u11ff\uff9e\uff9f\u3099\u309a]$/u;
const dense =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc\uff70]$/u;
const known = new Uint8Array(0x20000);

/** Returns the class of a code point, one of `characterClass`. */
export function classOf(codePoint: number): number {
  if (codePoint >= known.length) return classify(codePoint);
  const found = known[codePoint]!;
  if (found !== 0) return found;
  const computed = classify(codePoint);
  known[codePoint] = computed;
  return computed;
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (joiners.has(character)) return characterClass.joiner;
  if (invisible.test(character)) return characterClass.invisible;
  if (trailing.test(character)) return characterClass.mark;
  if (/^[\p{L}\p{M}\p{N}]$/u.test(character) && dense.test(character)) return characterClass.dense;
  if (/^\p{M}$/u.test(character)) return characterClass.mark;
  if (/^\p{L}$/u.test(character)) return characterClass.letter;
  if (/^\p{N}$/u.test(character)) return characterClass.digit;
  if (codePoint >= 0x2600 && /^[\p{Extended_Pictographic}\p{Regional_Indicator}]$/u.test(character)) {
    return characterClass.emoji;
  }
  return characterClass.gap;
}
