/** The results of reading a file: its text, or the reason why it has no text. */
export const readStatuses = [
  'done',
  /** The file has no text, for example a PDF that consists of scanned pages. */
  'empty',
  /** The file is encrypted, or in a format that is not read. */
  'unsupported',
  /** The file or its unpacked content is over a limit. */
  'too_large',
  /** The file is damaged. */
  'failed',
  'timeout',
  'memory',
] as const;

/** A result of reading a file. */
export type ReadStatus = (typeof readStatuses)[number];

/** The text of a file, which is empty unless `status` is `done`. */
export interface FileText {
  status: ReadStatus;
  text: string;
}

/** The limits of what is read from one file. */
export const fileLimits = {
  /** Larger files are not read. */
  bytesMax: 10 * 1_048_576,
  /** The text beyond this number of characters is left out. */
  textLengthMax: 200_000,
  pagesMax: 200,
  /** The size of everything that is unpacked from an archive. */
  unpackedBytesMax: 20 * 1_048_576,
} as const;

/** Returns a result without text. */
export function withoutText(status: Exclude<ReadStatus, 'done'>): FileText {
  return { status, text: '' };
}

/** Returns the result of a file with this text, without repeated blanks and cut to the limit. */
export function withText(text: string): FileText {
  const tidied = tidy(text.slice(0, unTidiedLengthMax)).slice(0, fileLimits.textLengthMax).trimEnd();
  return tidied === '' ? withoutText('empty') : { status: 'done', text: tidied };
}

/** Only so much is tidied, so that a file of blanks costs no more than one of text. */
const unTidiedLengthMax = 5 * fileLimits.textLengthMax;

/** Returns text without repeated blanks, empty lines and empty cells of CSV, which would take the place of words. */
function tidy(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\f\v]/g, '\n')
    .replace(/\0|[^\S\n]+/g, ' ')
    .replace(/([,;|]) ?(?:\1 ?)+/g, '$1 ')
    .replace(/ ?\n[\n ]*/g, '\n')
    .trim();
}

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
