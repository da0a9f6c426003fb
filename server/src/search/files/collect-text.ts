import { fileLimits } from './file-text.ts';

/** Text in the making. */
export interface TextCollector {
  /** Adds a piece. Beyond the limit it is cut, and a blank after another blank is left out. */
  add(piece: string): void;
  /** Whether there is enough text, so that the rest of the file need not be read. */
  isFull(): boolean;
  text(): string;
}

/** Collects pieces of text up to a limit. */
export function collectText(lengthMax: number = fileLimits.textLengthMax): TextCollector {
  const pieces: string[] = [];
  let length = 0;
  let isBlank = true;
  return {
    add: (piece) => {
      const kept = piece.slice(0, lengthMax - length);
      const isBlankPiece = kept.trim() === '';
      if (isBlankPiece && isBlank) {
        // Empty paragraphs must not take the place of text.
        if (kept.includes('\n') && pieces.length > 0) pieces[pieces.length - 1] = '\n';
        return;
      }
      pieces.push(kept);
      length += kept.length;
      isBlank = isBlankPiece;
    },
    isFull: () => length >= lengthMax,
    text: () => pieces.join(''),
  };
}
