/** The classes of characters: the end of a word, a part of one, or something between. */
const characterClass = {
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
const invisibles = '[\\p{Default_Ignorable_Code_Point}\\p{Emoji_Modifier}\\u0640]';
const invisible = new RegExp(`^${invisibles}$`, 'u');
/** Vowels and endings of Korean syllables that are written letter by letter, and the voice marks of narrow Kana. */
const trailingSound = /^[\u1160-\u11ff\uff9e\uff9f\u3099\u309a]$/u;
const dense =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc\uff70]$/u;
const knownClasses = new Uint8Array(0x20000);

/** A run of letters and digits, one character of a dense script, or one emoji, as it stands in a text. */
export interface Piece {
  kind: 'word' | 'dense' | 'emoji';
  /** Folded, and never empty. */
  word: string;
  /** The word with what an apostrophe ties to it: `adas` for `Ada's`, whose word is `ada`. Else the word. */
  full: string;
  /** The punctuation between the piece before and this one, in its ASCII form; a space if the two are apart. */
  joint: string;
  /** The position in the original text, in UTF-16 units. */
  start: number;
  end: number;
}

const jointLengthMax = 3;
/** Much more than the longest lexeme, because one character may fold to eighteen, or to none. */
const foldedLengthMax = 400;
/** Most characters of Thai, Kana, Han and Hangul. */
const unchanged = /^[\u0e01-\u0e32\u0e34-\u0e3a\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]$/;
const notOfWords = /[^\p{L}\p{M}\p{N}]+/gu;

/** Returns the pieces of a text, at most `max`, in their order. Takes time that is linear in the length of the text. */
export function readPieces(text: string, max: number): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let lastEnd = 0;
  while (at < text.length && pieces.length < max) {
    const first = codePointAt(text, at);
    const kind = pieceKind(findClass(first));
    if (kind === null) {
      at += first > 0xffff ? 2 : 1;
      continue;
    }
    const end = endOfPiece(text, at, kind);
    const word = foldPiece(text, at, end, kind);
    if (word !== '') {
      pieces.push({ kind, word, full: word, joint: readJoint(text, lastEnd, at), start: at, end });
      lastEnd = end;
    }
    at = end;
  }
  return pieces;
}

function codePointAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < 0xd800 ? unit : text.codePointAt(at)!;
}

function pieceKind(charClass: number): Piece['kind'] | null {
  if (charClass === characterClass.letter || charClass === characterClass.digit) return 'word';
  if (charClass === characterClass.dense) return 'dense';
  return charClass === characterClass.emoji ? 'emoji' : null;
}

function endOfPiece(text: string, from: number, kind: Piece['kind']): number {
  let end = from + (codePointAt(text, from) > 0xffff ? 2 : 1);
  while (end < text.length) {
    const next = codePointAt(text, end);
    const charClass = findClass(next);
    const continues =
      charClass === characterClass.mark ||
      charClass === characterClass.invisible ||
      (kind === 'word' && (charClass === characterClass.letter || charClass === characterClass.digit));
    if (!continues) break;
    end += next > 0xffff ? 2 : 1;
  }
  return end;
}

function foldPiece(text: string, start: number, end: number, kind: Piece['kind']): string {
  if (kind === 'emoji') return String.fromCodePoint(codePointAt(text, start));
  const piece = text.slice(start, Math.min(end, start + foldedLengthMax));
  if (isPlain(piece)) return piece.toLowerCase();
  if (kind === 'dense' && unchanged.test(piece)) return piece;
  const folded = foldText(piece);
  return isPlain(folded) ? folded : folded.replace(notOfWords, '');
}

/** Returns whether a piece of a text is of ASCII letters and digits alone. */
function isPlain(piece: string): boolean {
  for (let at = 0; at < piece.length; at += 1) {
    const unit = piece.charCodeAt(at);
    if (unit > 0x7a || unit < 0x30) return false;
  }
  return true;
}

function readJoint(text: string, from: number, to: number): string {
  if (to - from === 1 && text[from] === ' ') return ' ';
  let joint = '';
  for (let at = from; at < to; at += 1) {
    const charClass = findClass(text.charCodeAt(at));
    if (charClass === characterClass.joiner) joint += foldJoiner(text[at]!);
    else if (charClass !== characterClass.invisible && charClass !== characterClass.mark) return ' ';
    if (joint.length > jointLengthMax) return ' ';
  }
  return joint;
}

function foldJoiner(joiner: string): string {
  if (joiner < '\u0080') return joiner;
  if (/[\u2010-\u2013\u2212\uff0d]/.test(joiner)) return '-';
  if (/[’ʼ＇׳]/.test(joiner)) return "'";
  return joiner.normalize('NFKC');
}

/** Returns the class of a code point, one of `characterClass`. */
function findClass(codePoint: number): number {
  if (codePoint >= knownClasses.length) return classify(codePoint);
  const known = knownClasses[codePoint]!;
  if (known !== 0) return known;
  const computed = classify(codePoint);
  knownClasses[codePoint] = computed;
  return computed;
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (joiners.has(character)) return characterClass.joiner;
  if (invisible.test(character)) return characterClass.invisible;
  if (trailingSound.test(character)) return characterClass.mark;
  if (/^[\p{L}\p{M}\p{N}]$/u.test(character) && dense.test(character)) return characterClass.dense;
  if (/^\p{M}$/u.test(character)) return characterClass.mark;
  if (/^\p{L}$/u.test(character)) return characterClass.letter;
  if (/^\p{N}$/u.test(character)) return characterClass.digit;
  if (codePoint >= 0x2600 && /^[\p{Extended_Pictographic}\p{Regional_Indicator}]$/u.test(character)) {
    return characterClass.emoji;
  }
  return characterClass.gap;
}

/** Letters that no decomposition turns into plain ones, and the spelling under which they are found. */
const spellings: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  ς: 'σ',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
};

const letters = Object.keys(spellings).join('');
// The marks of Indic and South-East Asian scripts are vowels, and those of Kana make other letters, so all these stay.
const accent =
  '(?![\\u3099\\u309a])(?=\\p{M})[\\p{sc=Inherited}\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}\\p{sc=Hebrew}\\p{sc=Arabic}]';
const digits = '[\\u0660-\\u0669\\u06f0-\\u06f9\\u0966-\\u096f]';
const respelled = new RegExp(`${accent}|${invisibles}|[${letters}]|${digits}`, 'gu');
const plain = /^[\t\n\r -~]*$/;

/**
 * Returns the text in the one spelling under which it is indexed and looked up: lower case, without accents, ligatures, full-width forms
 * and invisible characters. Two spellings that people consider the same word fold to the same text.
 */
export function foldText(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  const respelt = text.normalize('NFKD').toLowerCase().replace(respelled, respell);
  return plain.test(respelt) ? respelt : respelt.normalize('NFC');
}

function respell(character: string): string {
  const code = character.charCodeAt(0);
  if (code >= 0x966 && code <= 0x96f) return String(code - 0x966);
  if ((code >= 0x660 && code <= 0x669) || (code >= 0x6f0 && code <= 0x6f9)) return String(code & 0xf);
  return spellings[character] ?? '';
}
