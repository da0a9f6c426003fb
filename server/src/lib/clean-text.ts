const unstorablePattern = /[\0\p{Cs}]/u;
const unstorableEverywhere = /[\0\p{Cs}]/gu;

/** Returns the text without NUL and lone surrogates, which no Postgres text or UTF-8 file can hold. Other text is returned unchanged. */
export function cleanText(text: string): string {
  return unstorablePattern.test(text) ? text.replace(unstorableEverywhere, '') : text;
}

/** A text that was cut, and whether anything is missing from it. */
export interface CutText {
  text: string;
  truncated: boolean;
}

const encoder = new TextEncoder();

/** Returns the longest beginning of a text that fits into `bytesMax` bytes of UTF-8 without splitting a character. */
export function cutBytes(text: string, bytesMax: number): CutText {
  // No UTF-16 unit becomes more than three bytes of UTF-8, so most texts need no counting.
  if (text.length * 3 <= bytesMax) return { text, truncated: false };
  const head = text.slice(0, bytesMax + 1);
  const { read } = encoder.encodeInto(head, new Uint8Array(bytesMax));
  return read === text.length ? { text, truncated: false } : { text: text.slice(0, read), truncated: true };
}
