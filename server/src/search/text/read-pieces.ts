import { characterClass, classOf } from './character-class.ts';
import { foldText } from './fold-text.ts';

/** A run of letters and digits, one character of a dense script, or one emoji, as it stands in a text. */
export interface Piece {
  kind: 'word' | 'dense' | 'emoji';
  /** Folded, and never empty. */
  word: string;
  /** The word with what an apostrophe ties to it: `adas` for `Ada's`, whose word is `ada`. Else the word. */
  full: string;
  /** The punctuation between the piece before and this one, in its ASCII form; a space if the two are apart. */
  joint: string;
  /** Where it is in the original text, in UTF-16 units. */
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
    const kind = kindOf(classOf(first));
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

function kindOf(found: number): Piece['kind'] | null {
  if (found === characterClass.letter || found === characterClass.digit) return 'word';
  if (found === characterClass.dense) return 'dense';
  return found === characterClass.emoji ? 'emoji' : null;
}

function endOfPiece(text: string, from: number, kind: Piece['kind']): number {
  let end = from + (codePointAt(text, from) > 0xffff ? 2 : 1);
  while (end < text.length) {
    const next = codePointAt(text, end);
    const found = classOf(next);
    const continues =
      found === characterClass.mark ||
      found === characterClass.invisible ||
      (kind === 'word' && (found === characterClass.letter || found === characterClass.digit));
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
    const found = classOf(text.charCodeAt(at));
    if (found === characterClass.joiner) joint += foldJoiner(text[at]!);
    else if (found !== characterClass.invisible && found !== characterClass.mark) return ' ';
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
