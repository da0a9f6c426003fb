/** Returns pieces of text as one, with a blank line between them and never two. */
export function joinPieces(pieces: string[][]): string {
  return pieces
    .map((piece) =>
      piece
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .replace(/^\n+|\n+$/g, ''),
    )
    .filter((piece) => piece.trim() !== '')
    .join('\n\n');
}
