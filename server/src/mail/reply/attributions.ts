import {
  type AttributionWeight,
  attributionLengthMax,
  beginsAttribution,
  closesAttribution,
  hasDate,
  opensAttribution,
  weighAttribution,
} from './attribution-patterns.ts';
import { marksOriginal } from './history-patterns.ts';

/** A sentence that announces a quotation: the line after its last one, and how certain it is. */
export interface Attribution {
  end: number;
  weight: AttributionWeight;
}

const linesMax = 4;

/**
 * Returns the sentences that announce quotations, by the number of their first line. Clients wrap such sentences, and people write directly
 * above them, so a sentence begins at the last line that can begin one. `isPart` returns whether a line can be part of one.
 */
export function findAttributions(
  lines: string[],
  isPart: (line: string) => boolean,
): Map<number, Attribution> {
  const found = new Map<number, Attribution>();
  for (const [last, line] of lines.entries()) {
    if (!isPart(line) || !closesAttribution(line)) continue;
    const attribution = findEndingAt(lines, last, isPart);
    if (attribution) found.set(attribution.start, { end: last + 1, weight: attribution.weight });
  }
  return found;
}

function findEndingAt(
  lines: string[],
  last: number,
  isPart: (line: string) => boolean,
): { start: number; weight: AttributionWeight } | null {
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
      // A line above belongs to the sentence if it has what that lacks: the date, the author, or the start of an address.
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
}

/** Returns whether a line ends a sentence of its own. A wrapped date may end with a period, too. */
function endsSentence(line: string): boolean {
  return (
    /[!?;。！？]\s*$|[:：]\s*$/u.test(line) ||
    (/\.\s*$/.test(line) && !(opensAttribution(line) && line.length < 40))
  );
}

/** Returns whether a line is only the beginning of a date, whose rest is on the next line. */
function isDateCut(line: string | undefined, next: string): boolean {
  return (
    line !== undefined &&
    /^\p{L}{1,5}\s+\p{L}{2,12}[.,]{0,2}(?:\s+\p{L}{3,12}\.?)?(?:\s+\d{1,2}[.,]?)?$/u.test(line) &&
    opensAttribution(line) &&
    continuesDate(next)
  );
}

/** Returns whether a line can continue a date: with a number or a month. "At noon" above "On Mon, Jan 5, 2026 …" is a reply. */
function continuesDate(line: string): boolean {
  return /^\s*(?:\d|\p{L}{3,12}[.,]{0,2}\s+(?:de\s+)?\d)/u.test(line) && !beginsAttribution(line);
}

function startsInside(line: string): boolean {
  return /^\s*[<("\p{Ll}\d]/u.test(line);
}

/** Bullets and digits begin lists, and are not quotation marks. */
const mark = /^ {0,4}([|¦│┃║┊:;}\]%~»›＞!$&=#^@\\]{1,2})(?=\s|$|[\p{L}\p{N}"'([])/u;
const markedLinesMax = 2_000;
const startsMax = 20;

/**
 * Returns lines in which the program's own quotation marks, below one of the announcements, are replaced by ">". Some programs mark
 * quotations with other characters, such as a bar, and replies between the quoted lines must be kept.
 */
export function readOwnMarks(lines: string[], attributions: ReadonlyMap<number, Attribution>): string[] {
  const starts = [
    ...[...attributions.values()].map(({ end }) => end),
    ...lines.flatMap((line, at) => (marksOriginal(line) ? [at + 1] : [])),
  ];
  for (const start of starts.slice(0, startsMax)) {
    let first = start;
    while (first < lines.length && lines[first]?.trim() === '') first += 1;
    const own = mark.exec(lines[first] ?? '')?.[1];
    if (own === undefined) continue;
    const isMarked = (line: string) => mark.exec(line)?.[1] === own && !isTableRow(line, own);
    const below = lines.slice(first, first + markedLinesMax);
    if (below.filter(isMarked).length < 2) continue;
    return lines.map((line, at) =>
      at >= first && isMarked(line) ? `> ${line.trimStart().slice(own.length).trimStart()}` : line,
    );
  }
  return lines;
}

/** A reply may have a table whose rows begin and end with a bar. */
function isTableRow(line: string, own: string): boolean {
  return own === '|' && /\|.*\|\s*$/.test(line);
}
