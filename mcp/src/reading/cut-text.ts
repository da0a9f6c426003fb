/** A part of a text, and where the rest begins; null if there is none. */
export interface CutText {
  text: string;
  rest: number | null;
}

/** How far back to look for a better place to cut. */
const searchMax = 400;

/** Returns a text starting at a place, at most `max` UTF-16 units, cut at the end of a paragraph, a line, a sentence or at least a word. */
export function cutText(text: string, from: number, max: number): CutText {
  if (text.length - from <= max) return { text: text.slice(from), rest: null };
  const end = findEnd(text, from, from + Math.max(1, max));
  return { text: text.slice(from, end), rest: end };
}

function findEnd(text: string, from: number, limit: number): number {
  const least = Math.max(from + 1, limit - searchMax);
  for (const mark of ['\n\n', '\n', '. ', ' ']) {
    const at = text.lastIndexOf(mark, limit - mark.length);
    if (at >= least) return at + mark.length;
  }
  // Does not cut a character in half.
  return /[\udc00-\udfff]/.test(text[limit] ?? '') && limit - 1 > from ? limit - 1 : limit;
}
