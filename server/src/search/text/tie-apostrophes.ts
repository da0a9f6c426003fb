import type { Piece } from './read-pieces.ts';

/** French and Italian words that lose their vowel. */
const elided = new Set('l d j m t s c n qu jusqu lorsqu un all dall dell nell sull quell'.split(' '));
/** What is left of a verb, and means nothing. */
const contractions = new Set(['ll', 're', 've', 'm', 'd']);
const schemes = new Set(['http', 'https', 'ftp', 'ftps', 'ws', 'wss', 'mailto', 'tel']);

/**
 * Returns the pieces that count as words: `Ada's`, `we'll`, `don't` and `l'offre` are one each, of which the word is `ada`, `we`, `dont`
 * and `offre`. The scheme of a URL is none.
 */
export function tieApostrophes(pieces: Piece[]): Piece[] {
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
