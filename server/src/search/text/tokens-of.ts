import { type Joined, joinedLexemes } from './joined-lexemes.ts';
import { type Piece, readPieces } from './read-pieces.ts';
import { spacedNumbers } from './spaced-numbers.ts';
import { tieApostrophes } from './tie-apostrophes.ts';

/** One place of a text: the lexemes that stand there. */
export interface Token {
  /**
   * The lexemes at this place, folded and without stems. The first is the word itself (two characters in dense scripts), which finds the
   * place in a phrase. The others begin here: a compound, an address, a host, a URL, a single character of a dense script.
   */
  words: string[];
  /** Counts from 1. An emoji shares the place of the word in front of it. */
  at: number;
  /** Where the word is in the original text, in UTF-16 units. */
  start: number;
  end: number;
  /** Set for characters of scripts that are read in pairs: Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese. */
  cjk?: true;
  /** Set for an emoji, which is no part of a phrase. */
  emoji?: true;
  /** The longest of the things that begin here, and of how many tokens it is made. */
  whole?: { lexeme: string; tokens: number };
}

/** The longest lexeme in UTF-16 units. Longer ones are cut, in documents and in queries alike. */
const lexemeLengthMax = 100;

const tokensMax = 60_000;

/**
 * Returns the places of a text with their lexemes, at most `max`. Documents and queries are both read by this function, so that
 * everything that is copied from a document is found in it. Takes time that is linear in the length of the text, whatever the text is.
 */
export function tokensOf(text: string, max = tokensMax): Token[] {
  const pieces = tieApostrophes(readPieces(text, max));
  const tokens: Token[] = [];
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind !== 'emoji' || at === 0) at += 1;
    tokens.push(tokenOf(piece, pieces[index + 1], at));
  }
  for (const joined of joinedLexemes(pieces)) addJoined(tokens, joined);
  for (const joined of spacedNumbers(pieces, text)) addJoined(tokens, joined);
  return tokens;
}

function tokenOf(piece: Piece, next: Piece | undefined, at: number): Token {
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
