import { type Joined, joinedLexemes } from './joined-lexemes.ts';
import { type Piece, readPieces } from './read-pieces.ts';

/** French and Italian words that lose their vowel. */
const elided = new Set('l d j m t s c n qu jusqu lorsqu un all dall dell nell sull quell'.split(' '));
/** Ends of verbs, which mean nothing by themselves. */
const contractions = new Set(['ll', 're', 've', 'm', 'd']);
const schemes = new Set(['http', 'https', 'ftp', 'ftps', 'ws', 'wss', 'mailto', 'tel']);

const groupDigits = /^\d{1,12}$/;
const ibanStart = /^[a-z]{2}\d\d$/;
const ibanGroup = /^[a-z0-9]{1,4}$/;
const groupGap = /^[ \u00a0\u202f()./-]{1,3}$/;
const groupsMax = 10;

/** One position of a text, with its lexemes. */
export interface Token {
  /**
   * The lexemes at this place, folded and without stems. The first is the word itself (two characters in dense scripts), which finds the
   * place in a phrase. The others begin here: a compound, an address, a host, a URL, a single character of a dense script.
   */
  words: string[];
  /** Counts from 1. An emoji shares the place of the word in front of it. */
  at: number;
  /** The position of the word in the original text, in UTF-16 units. */
  start: number;
  end: number;
  /** Set for characters of scripts that are read in pairs: Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese. */
  cjk?: true;
  /** Set for an emoji, which is not part of a phrase. */
  emoji?: true;
  /** The longest of the units that begin here, and its number of tokens. */
  whole?: { lexeme: string; tokens: number };
}

/** The longest lexeme in UTF-16 units. Longer ones are cut, in documents and in queries alike. */
const lexemeLengthMax = 100;

const tokensMax = 60_000;

/**
 * Returns the places of a text with their lexemes, at most `max`. Documents and queries are both read by this function, so that
 * everything that is copied from a document is found in it. Takes time that is linear in the length of the text, whatever the text is.
 */
export function readTokens(text: string, max = tokensMax): Token[] {
  const pieces = tieApostrophes(readPieces(text, max));
  const tokens: Token[] = [];
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind !== 'emoji' || at === 0) at += 1;
    tokens.push(makeToken(piece, pieces[index + 1], at));
  }
  for (const joined of joinedLexemes(pieces)) addJoined(tokens, joined);
  for (const joined of spacedNumbers(pieces, text)) addJoined(tokens, joined);
  return tokens;
}

function makeToken(piece: Piece, next: Piece | undefined, at: number): Token {
  const { kind, start, end } = piece;
  const word = cutLexeme(piece.word);
  if (kind === 'emoji') return { words: [word], at, start, end, emoji: true };
  if (kind === 'dense') {
    const isPair = next?.kind === 'dense' && next.joint === '';
    return { words: isPair ? [word + next.word, word] : [word], at, start, end, cjk: true };
  }
  if (piece.full === piece.word) return { words: [word], at, start, end };
  const full = cutLexeme(piece.full);
  return { words: [word, full], at, start, end, whole: { lexeme: full, tokens: 1 } };
}

function addJoined(tokens: Token[], { from, end, lexeme }: Joined): void {
  const token = tokens[from]!;
  const cut = cutLexeme(lexeme);
  if (!token.words.includes(cut)) token.words.push(cut);
  if (end - from >= (token.whole?.tokens ?? 1)) token.whole = { lexeme: cut, tokens: end - from };
}

function cutLexeme(lexeme: string): string {
  if (lexeme.length <= lexemeLengthMax) return lexeme;
  const cut = lexeme.slice(0, lexemeLengthMax);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/**
 * Returns telephone numbers, card numbers and IBANs that are written in groups, as one word each: `4917012345678` for `+49 (0)170
 * 123-45678`. Two numbers that happen to follow each other are not one number.
 */
function spacedNumbers(pieces: Piece[], text: string): Joined[] {
  const found: Joined[] = [];
  let from = 0;
  while (from < pieces.length) {
    const end = endOfGroups(pieces, from, text);
    const lexeme = end - from > 1 ? spellNumber(pieces.slice(from, end), text) : null;
    if (lexeme !== null) found.push({ from, end, lexeme });
    from = end;
  }
  return found;
}

function endOfGroups(pieces: Piece[], from: number, text: string): number {
  const isIban = ibanStart.test(pieces[from]!.word);
  if (!isIban && !groupDigits.test(pieces[from]!.word)) return from + 1;
  let end = from + 1;
  while (end < pieces.length && groupGap.test(text.slice(pieces[end - 1]!.end, pieces[end]!.start))) {
    const { word } = pieces[end]!;
    // Only the second group of an IBAN may be letters alone, such as a code of a bank.
    const continues = isIban
      ? ibanGroup.test(word) && (end === from + 1 || /\d/.test(word)) && pieces[end - 1]!.word.length === 4
      : groupDigits.test(word);
    if (!continues) break;
    end += 1;
  }
  return end;
}

function spellNumber(groups: Piece[], text: string): string | null {
  const first = groups[0]!;
  // A zero in parentheses is dialled within the country only.
  const dialled = groups.filter(({ word, start }) => word !== '0' || text[start - 1] !== '(');
  const number = dialled.map(({ word }) => word).join('');
  if (groups.length > groupsMax || number.length < 9 || number.length > 34) return null;
  const isNumber =
    ibanStart.test(first.word) ||
    first.word.startsWith('0') ||
    text[first.start - 1] === '+' ||
    groups.length >= 4;
  return isNumber ? number : null;
}

/**
 * Returns the pieces that count as words: `Ada's`, `we'll`, `don't` and `l'offre` are one each, of which the word is `ada`, `we`, `dont`
 * and `offre`. The scheme of a URL is not one of them.
 */
function tieApostrophes(pieces: Piece[]): Piece[] {
  const tied: Piece[] = [];
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index]!;
    const next = pieces[index + 1];
    if (next === undefined) {
      tied.push(piece);
      continue;
    }
    if (isScheme(piece, next)) {
      next.joint = piece.joint === '' ? '' : ' ';
      continue;
    }
    const isTied = next.joint === "'" && piece.kind === 'word' && next.kind === 'word';
    const word = isTied ? tiedWord(piece, next) : null;
    if (word === null) {
      tied.push(piece);
      continue;
    }
    const full = contractions.has(next.full) ? piece.full : piece.full + next.full;
    // The next piece may be tied once more, as in `l'offre's`.
    pieces[index + 1] = { ...next, word, full, joint: piece.joint, start: piece.start };
  }
  return tied;
}

function isScheme(piece: Piece, next: Piece): boolean {
  return (next.joint === '://' || next.joint === ':') && next.kind === 'word' && schemes.has(piece.word);
}

function tiedWord(piece: Piece, next: Piece): string | null {
  if (next.full === 't' && piece.full.endsWith('n')) return `${piece.word}t`;
  if (next.full === 's' || contractions.has(next.full)) return piece.word;
  return elided.has(piece.full) ? next.word : null;
}
