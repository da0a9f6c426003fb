import { headerKindOf } from './history-patterns.ts';

const linesMax = 12;
const dateLinePattern =
  /^\s*\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?(?:\s+\S{2,5})?\s*$/i;

/** Returns the line after a quoted header that begins at a line: From and two other fields, close together. Returns null if none begins. */
export function measureHeader(lines: string[], at: number): number | null {
  if (headerKindOf(lines[at] ?? '') !== null) return measureBlock(lines, at);
  return /^\s{0,20}\d/.test(lines[at + 1] ?? '') ? measureTable(lines, at) : null;
}

function measureBlock(lines: string[], at: number): number | null {
  const kinds = new Set<string>();
  let [end, wrapped, hasAddress] = [at, 0, false];
  for (let next = at; next < at + linesMax && next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    if (line.trim() === '') continue;
    const kind = headerKindOf(line);
    if (kind !== null && kinds.has(kind)) break;
    if (kind === null) wrapped += 1;
    else kinds.add(kind);
    if (wrapped > 4 || (kind === null && lines[next - 1]?.trim() === '')) break;
    end = next + 1;
    hasAddress ||= /\S@\S/.test(line);
  }
  const isHeader =
    kinds.has('from') && kinds.size >= 3 && (hasAddress || (kinds.has('date') && kinds.has('subject')));
  return isHeader ? end : null;
}

/** Measures a header in the layout of Lotus Notes: author, date, and labels on lines of their own. */
function measureTable(lines: string[], at: number): number | null {
  if (!dateLinePattern.test(lines[at + 1] ?? '') || (lines[at] ?? '').trim() === '') return null;
  const kinds = new Map<string, number>();
  for (let next = at + 2; next < at + 2 + linesMax && next < lines.length; next += 1) {
    const kind = headerKindOf(`${(lines[next] ?? '').trim()}:`);
    if (kind) kinds.set(kind, next);
  }
  const subject = kinds.get('subject');
  return kinds.has('to') && subject !== undefined ? subject + 1 : null;
}
