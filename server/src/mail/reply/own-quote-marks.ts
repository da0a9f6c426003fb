/*
 * Some programs mark what they quote by other characters than ">", such as a bar. Any such mark that repeats below the announcement of a
 * quotation is read as ">", so that answers between the quoted lines are kept.
 */

import type { Attribution } from './attributions.ts';
import { marksOriginal } from './history-patterns.ts';

/** Bullets and digits begin lists, and are no marks. */
const mark = /^ {0,4}([|¦│┃║┊:;}\]%~»›＞!$&=#^@\\]{1,2})(?=\s|$|[\p{L}\p{N}"'([])/u;
const linesMax = 2_000;
const startsMax = 20;

/** Returns lines whose own marks of quotation, below one of the announcements, are replaced by ">". */
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
    const below = lines.slice(first, first + linesMax);
    if (below.filter(isMarked).length < 2) continue;
    return lines.map((line, at) =>
      at >= first && isMarked(line) ? `> ${line.trimStart().slice(own.length).trimStart()}` : line,
    );
  }
  return lines;
}

/** An answer may have a table whose rows begin and end with a bar. */
function isTableRow(line: string, own: string): boolean {
  return own === '|' && /\|.*\|\s*$/.test(line);
}
