import { joinedLexemes } from './joined-lexemes.ts';
import { type Piece, readPieces } from './read-pieces.ts';

/** One place of a text: the lexemes that stand there. */
export interface Token {
  /**
   * The lexemes at this place, folded and without stems. The first is the word itself (a bigram in dense scripts), which is enough to find the place in a
   * phrase; the others are what begins here: a compound, an address, a host or URL, a single character of a dense script.
   */
  words: string[];
  /** Counts from 1. An emoji shares the place of the word in front of it. */
  at: number;
  /** Where the word is in the original text, in UTF-16 units. */
  start: number;
  end: number;
  /** Set for characters of scripts without spaces. */
  cjk?: true;
  emoji?: true;
}

/** The longest lexeme. Longer ones are cut, in documents and in queries alike. */
export const lexemeLengthMax = 100;

const tokensMax = 60_000;

/**
 * Returns the places of a text with their lexemes, at most `max`. Documents and queries are both read by this function, so that everything that is
 * copied from a document is found in it. Takes time that is linear in the length of the text, whatever the text is.
 */
export function tokensOf(text: string, max = tokensMax): Token[] {
  const pieces = readPieces(text, max);
  const tokens: Token[] = [];
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind !== 'emoji' || at === 0) at += 1;
    tokens.push(tokenOf(piece, pieces[index + 1], at));
  }
  joinedLexemes(pieces, (index, lexeme) => {
    const { words } = tokens[index]!;
    const cut = cutLexeme(lexeme);
    if (!words.includes(cut)) words.push(cut);
  });
  return tokens;
}

function tokenOf(piece: Piece, next: Piece | undefined, at: number): Token {
  const { kind, start, end } = piece;
  const word = cutLexeme(piece.word);
  if (kind === 'word') return { words: [word], at, start, end };
  if (kind === 'emoji') return { words: [word], at, start, end, emoji: true };
  const isPair = next?.kind === 'dense' && next.joint === '';
  return { words: isPair ? [word + next.word, word] : [word], at, start, end, cjk: true };
}

function cutLexeme(lexeme: string): string {
  if (lexeme.length <= lexemeLengthMax) return lexeme;
  const cut = lexeme.slice(0, lexemeLengthMax);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
