import { characterClass, classOf } from './character-class.ts';
import { foldText } from './fold-text.ts';

/** A run of letters and digits, one character of a dense script, or one emoji, as it stands in a text. */
export interface Piece {
  kind: 'word' | 'dense' | 'emoji';
  /** Folded, and never empty. */
  word: string;
  /** The characters between the piece before and this one; a space if these do not join anything. */
  joint: string;
  /** Where it is in the original text, in UTF-16 units. */
  start: number;
  end: number;
}

const jointLengthMax = 3;
const notOfWords = /[^\p{L}\p{M}\p{N}]+/gu;
const ascii = /^[a-z0-9]*$/;

/** Returns the pieces of a text, at most `max`, in their order. Takes time that is linear in the length of the text. */
export function readPieces(text: string, max: number): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let lastEnd = 0;
  while (at < text.length && pieces.length < max) {
    const { kind, end } = readRun(text, at);
    if (kind !== null) {
      const word = kind === 'emoji' ? foldText(text.slice(at, end)) : foldWord(text.slice(at, end));
      if (word !== '') {
        pieces.push({ kind, word, joint: readJoint(text, lastEnd, at), start: at, end });
        lastEnd = end;
      }
    }
    at = end;
  }
  return pieces;
}

function foldWord(text: string): string {
  const folded = foldText(text);
  return ascii.test(folded) ? folded : folded.replace(notOfWords, '');
}

function readRun(text: string, from: number): { kind: Piece['kind'] | null; end: number } {
  const first = text.codePointAt(from)!;
  const found = classOf(first);
  const isWord = found === characterClass.letter || found === characterClass.digit;
  let end = from + (first > 0xffff ? 2 : 1);
  if (!isWord && found !== characterClass.dense && found !== characterClass.emoji) return { kind: null, end };
  while (end < text.length) {
    const next = text.codePointAt(end)!;
    const nextClass = classOf(next);
    const continues =
      nextClass === characterClass.mark ||
      nextClass === characterClass.invisible ||
      (isWord && (nextClass === characterClass.letter || nextClass === characterClass.digit));
    if (!continues) break;
    end += next > 0xffff ? 2 : 1;
  }
  if (isWord) return { kind: 'word', end };
  return { kind: found === characterClass.dense ? 'dense' : 'emoji', end };
}

function readJoint(text: string, from: number, to: number): string {
  if (from === to) return '';
  // Invisible characters count, so a joint of many of them is none; that is rare and harmless.
  if (to - from > jointLengthMax) return ' ';
  let joint = '';
  for (let at = from; at < to; at += 1) {
    const found = classOf(text.charCodeAt(at));
    if (found === characterClass.joiner) joint += foldJoiner(text[at]!);
    else if (found !== characterClass.invisible && found !== characterClass.mark) return ' ';
  }
  return joint;
}

function foldJoiner(joiner: string): string {
  if (/[\u2010-\u2013\u2212\uff0d]/.test(joiner)) return '-';
  if (joiner === '’' || joiner === 'ʼ') return "'";
  return joiner.normalize('NFKC');
}
