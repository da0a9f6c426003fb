import type { TermFinder } from './find-terms.ts';
import type { PossiblePiece } from './possible-terms.ts';
import { bestCluster, countTerms, type Found } from './possible-terms.ts';

/** A piece of a text with marks around the words that were found. */
export interface Highlight {
  /**
   * About 200 characters on one line, with `**` around each match. A backslash stands before `*`, `_`, backtick and backslash of the
   * text.
   */
  snippet: string;
  /** Whether anything was found. If not, the snippet is the beginning of the text. */
  matched: boolean;
}

const snippetLength = 200;
/** The length of the text before the first match that is shown. */
const leadLength = 60;
/** The maximum length of the piece with the matches. */
const clusterLength = snippetLength - leadLength;
const readMax = 200_000;
/** So far it is read for a piece with more of the terms than the best one until then. */
const improveMax = 40_000;
/** The text is read in parts, because the best piece is often in the first one. A part begins before the end of the one before. */
const partLength = 2_000;
const overlap = snippetLength;

/** Returns the piece of a text that has the most of the terms, with marks around them. */
export function highlight(text: string, terms: TermFinder): Highlight {
  let best: Found[] = [];
  for (let from = 0; from < Math.min(text.length, readMax) && terms.size > 0; ) {
    const end = endOfPart(text, from);
    best = findMore(text, { from, end }, terms, countTerms(best)) ?? best;
    from = end === text.length ? end : startOfPart(text, end);
    if (countTerms(best) === terms.size || (best.length > 0 && from > improveMax)) break;
  }
  const start = best[0] === undefined ? 0 : startOfSnippet(text, best[0].start);
  return { snippet: markFound(text, start, best), matched: best.length > 0 };
}

/** Returns the best matches of a part if they have more than so many terms, otherwise null. */
function findMore(
  text: string,
  part: Pick<PossiblePiece, 'from' | 'end'>,
  terms: TermFinder,
  count: number,
): Found[] | null {
  const possible = terms.findPossible(text.slice(part.from, part.end), clusterLength);
  if (possible.count <= count) return null;
  const piece = { from: part.from + possible.from, end: part.from + possible.end };
  const nearby = findBest(text, piece, terms);
  const best = countTerms(nearby) < possible.count ? findBest(text, part, terms) : nearby;
  return countTerms(best) > count ? best : null;
}

function findBest(
  text: string,
  { from, end }: Pick<PossiblePiece, 'from' | 'end'>,
  terms: TermFinder,
): Found[] {
  const matches = terms.find(text.slice(from, end));
  return bestCluster(matches, clusterLength).map((match) => ({
    ...match,
    start: from + match.start,
    end: from + match.end,
  }));
}

/** The beginning of a word, so that what stands across the end of the part before is found too. */
function startOfPart(text: string, before: number): number {
  for (let at = before - overlap; at < before; at += 1) if (/\s/.test(text[at]!)) return at + 1;
  return before;
}

/** A part ends between two words if there is any space, so that no word is read in halves. */
function endOfPart(text: string, from: number): number {
  const limit = from + partLength;
  if (limit >= text.length) return text.length;
  for (let end = limit; end > from + partLength / 2; end -= 1) if (/\s/.test(text[end]!)) return end;
  return limit;
}

function startOfSnippet(text: string, match: number): number {
  const lead = Math.max(0, match - leadLength);
  if (lead === 0) return 0;
  for (let at = lead; at < match; at += 1) if (/\s/.test(text[at]!)) return at + 1;
  return match;
}

function markFound(text: string, start: number, found: Found[]): string {
  const end = endOfSnippet(text, start, found);
  let snippet = '';
  let at = start;
  for (const match of mergeTouching(found)) {
    if (match.start < at || match.end > end) continue;
    snippet += `${escapeText(text.slice(at, match.start))}**${escapeText(text.slice(match.start, match.end))}**`;
    at = match.end;
  }
  return (snippet + escapeText(text.slice(at, end))).replace(/ {2,}/g, ' ').trim();
}

/** Two marks without anything between would be read as one of four asterisks. */
function mergeTouching(found: Found[]): Pick<Found, 'start' | 'end'>[] {
  const merged: Pick<Found, 'start' | 'end'>[] = [];
  for (const { start, end } of found) {
    const before = merged.at(-1);
    if (before !== undefined && start <= before.end) before.end = Math.max(before.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** The end of a word where there is one, and never within a character or a match. */
function endOfSnippet(text: string, start: number, found: Found[]): number {
  const limit = start + snippetLength;
  if (limit >= text.length) return text.length;
  const lastMatch = found.at(-1)?.end ?? start;
  for (let end = limit; end > Math.max(lastMatch, limit - 40); end -= 1)
    if (/\s/.test(text[end]!)) return end;
  return /[\udc00-\udfff\p{M}]/u.test(text[limit]!) ? limit - 1 : limit;
}

function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[*_`\\]/g, '\\$&');
}
