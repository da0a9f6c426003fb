import {
  type AttributionWeight,
  attributionLengthMax,
  beginsAttribution,
  closesAttribution,
  hasDate,
  opensAttribution,
  weighAttribution,
} from './attribution-patterns.ts';

/** A sentence that announces a quotation: the line after its last one, and how sure it is that it is one. */
export interface Attribution {
  end: number;
  weight: AttributionWeight;
}

const linesMax = 4;

/**
 * The sentences among the lines that announce quotations, by the number of their first line. Clients wrap them, and people write right
 * above them, so one begins at the last line that can begin one. `isPart` tells lines that can stand in one.
 */
export const findAttributions = (
  lines: string[],
  isPart: (line: string) => boolean,
): Map<number, Attribution> => {
  const found = new Map<number, Attribution>();
  for (const [last, line] of lines.entries()) {
    if (!isPart(line) || !closesAttribution(line)) continue;
    const attribution = findEndingAt(lines, last, isPart);
    if (attribution) found.set(attribution.start, { end: last + 1, weight: attribution.weight });
  }
  return found;
};

const findEndingAt = (
  lines: string[],
  last: number,
  isPart: (line: string) => boolean,
): { start: number; weight: AttributionWeight } | null => {
  let sentence = '';
  let nearest: { start: number; weight: AttributionWeight } | null = null;
  for (let start = last; start > last - linesMax && start >= 0; start -= 1) {
    const line = lines[start] ?? '';
    if (!isPart(line) || (start < last && endsSentence(line))) break;
    const below = sentence;
    sentence = `${line.trim()} ${sentence}`.trim();
    if (sentence.length > attributionLengthMax) break;
    const weight = weighAttribution(sentence);
    const isCut = isDateCut(lines[start - 1], line);
    const isComplete = hasDate(sentence) && !isCut;
    if (weight && opensAttribution(line) && isComplete) return { start, weight };
    if (weight && (!nearest || (nearest.weight !== 'certain' && weight === 'certain'))) {
      // A line above belongs to the sentence when it holds what that lacks: the date, the author, or the start of an address.
      const isMissing =
        (hasDate(line) && !hasDate(below)) ||
        (line.includes('@') && !below.includes('@')) ||
        /[<(]$/.test(line);
      const isOwn = start === last || isMissing;
      if (isOwn) nearest = { start, weight };
    }
    if (nearest && hasDate(sentence) && !startsInside(line) && !isCut) break;
  }
  return nearest;
};

/** A line that ends a sentence of its own; dates end with a period too where they are wrapped. */
const endsSentence = (line: string): boolean =>
  /[!?;。！？]\s*$|[:：]\s*$/u.test(line) ||
  (/\.\s*$/.test(line) && !(opensAttribution(line) && line.length < 40));

/** Only the beginning of a date, whose rest stands on the next line. */
const isDateCut = (line: string | undefined, next: string): boolean =>
  line !== undefined &&
  /^\p{L}{1,5}\s+\p{L}{2,12}[.,]{0,2}(?:\s+\p{L}{3,12}\.?)?(?:\s+\d{1,2}[.,]?)?$/u.test(line) &&
  opensAttribution(line) &&
  continuesDate(next);

/** The rest of a date begins with a number or a month: "At noon" above "On Mon, Jan 5, 2026 …" is an answer. */
const continuesDate = (line: string): boolean =>
  /^\s*(?:\d|\p{L}{3,12}[.,]{0,2}\s+(?:de\s+)?\d)/u.test(line) && !beginsAttribution(line);

const startsInside = (line: string): boolean => /^\s*[<("\p{Ll}\d]/u.test(line);
