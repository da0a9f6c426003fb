/*
 * The new text of a reply: without the history that the client quoted, and without signatures. It goes through the lines
 * once. A quotation is taken out with the sentence that announces it, and what stands between quotations stays, so answers
 * between quoted lines are kept. Where a client quotes without marking lines (a header block, "Original Message", a sentence
 * with date and author), all that follows is history. A mail that passes another one on is kept whole: there the other
 * mail is the message. In doubt, text is kept.
 */
import { htmlToPlainText } from './html-to-plain-text.ts';
import {
  closeMark,
  cutMark,
  hasQuotationMarkup,
  htmlToMarkedText,
  openMark,
  quoteMark,
} from './reply-html.ts';
import {
  endsAttribution,
  headerKindOf,
  isAppSignature,
  isForwardSubject,
  marksForward,
  marksOriginal,
  startsAttribution,
  weighAttribution,
} from './reply-patterns.ts';

/** Longer texts are no replies that a person wrote; what stands behind is left out. */
const textLengthMax = 250_000;
const attributionLinesMax = 4;
const headerLinesMax = 12;
const signatureLinesMax = 15;

/** What the reply was found to be: the lines that stay, in pieces between quotations. */
interface Found {
  pieces: string[][];
  /** How the history was recognised, if there is one. */
  history: 'none' | 'quoted' | 'header';
}

/** The new text of a mail, and whether what stands behind the first 250,000 characters was left out. */
export interface NewText {
  text: string | null;
  isCut: boolean;
}

/**
 * The new text of a mail, null when it has no body. `html` is the better source when its client marks quotations in it;
 * `subject` tells mail that was passed on by clients that use the same layout for both.
 */
export function extractReply(
  text: string | null,
  html: string | null,
  options: { subject?: string } = {},
): string | null {
  return readReply(text, html, options).text;
}

/** What `extractReply` gives, and whether it was cut. */
export function readReply(
  text: string | null,
  html: string | null,
  { subject = '' }: { subject?: string } = {},
): NewText {
  const whole = text ?? (html === null ? null : htmlToPlainText(html));
  if (whole === null || isForwardSubject(subject)) return { text: whole?.trim() ?? null, isCut: false };
  const marked = html !== null && hasQuotationMarkup(html) ? htmlToMarkedText(html) : whole;
  const found = findNewText(readLines(marked));
  const reply = found.pieces
    .map(withoutSignature)
    .map(trimLines)
    .filter((piece) => piece !== '')
    .join('\n\n');
  // A header block and nothing above it is a message passed on without a word, by a client that we do not know.
  const isWhole = reply === '' && found.history !== 'quoted';
  return { text: isWhole ? whole.trim() : reply, isCut: !isWhole && marked.length > textLengthMax };
}

function readLines(text: string): string[] {
  return text
    .slice(0, textLengthMax)
    .split(/\r\n|\n|\r/)
    .map((line) =>
      line
        .replace(/[\u200b\ufeff]/g, '')
        .replaceAll('\u00a0', ' ')
        .trimEnd(),
    );
}

function findNewText(lines: string[]): Found {
  const pieces: string[][] = [[]];
  let history: Found['history'] = 'none';
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    // Whatever is passed on is part of the message, to its end.
    if (marksForward(line)) {
      pieces.at(-1)?.push(...lines.slice(at).filter((one) => !isMark(one)));
      break;
    }
    if (line === cutMark || marksOriginal(line) || startsHeaderBlock(lines, at)) {
      history = history === 'none' ? 'header' : history;
      break;
    }
    const end = endOfQuotation(lines, at);
    if (end > at) {
      history = 'quoted';
      pieces.push([]);
      at = end;
      continue;
    }
    if (line !== openMark && line !== closeMark) pieces.at(-1)?.push(line);
    at += 1;
  }
  return { pieces, history };
}

/** Where the quotation that begins at a line ends, with the sentence that announces it; the line itself when none begins. */
function endOfQuotation(lines: string[], at: number): number {
  const line = lines[at] ?? '';
  if (isQuoted(line)) return skipQuoted(lines, at);
  const announced = measureAttribution(lines, at);
  if (announced === null) return at;
  const next = skipBlank(lines, announced.end);
  const following = lines[next] ?? '';
  if (isQuoted(following)) return skipQuoted(lines, next);
  if (following === openMark) return skipFrame(lines, next);
  // Without a quotation that can be seen, only a sentence with date and author makes the rest history.
  return announced.weight === 'certain' ? lines.length : at;
}

function measureAttribution(
  lines: string[],
  at: number,
): { end: number; weight: 'certain' | 'likely' } | null {
  const first = lines[at] ?? '';
  if (first.trim() === '' || first.length > 500) return null;
  const linesMax = startsAttribution(first) ? attributionLinesMax : 2;
  let sentence = '';
  for (let end = at; end < at + linesMax && end < lines.length; end += 1) {
    const line = lines[end] ?? '';
    if (line.trim() === '' || isMark(line) || line.startsWith('>')) return null;
    sentence = `${sentence} ${line}`.trim();
    if (sentence.length > 600) return null;
    if (!endsAttribution(line)) continue;
    const weight = weighAttribution(sentence);
    if (weight !== null && (end === at || startsAttribution(first) || /@|<$/.test(first)))
      return { end: end + 1, weight };
  }
  return null;
}

function isQuoted(line: string): boolean {
  return line === quoteMark || (line.startsWith('>') && !line.startsWith('>From '));
}

/** Quoted lines with the blank ones between them. */
function skipQuoted(lines: string[], start: number): number {
  let end = start;
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (isQuoted(line)) end = at + 1;
    else if (line.trim() !== '') break;
  }
  return end;
}

function skipFrame(lines: string[], start: number): number {
  let depth = 0;
  for (let at = start; at < lines.length; at += 1) {
    if (lines[at] === openMark) depth += 1;
    if (lines[at] === closeMark) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return lines.length;
}

function skipBlank(lines: string[], start: number): number {
  let at = start;
  while (at < lines.length && lines[at]?.trim() === '') at += 1;
  return at;
}

/** Whether a quoted header begins: at least From and two other fields, closely together. */
function startsHeaderBlock(lines: string[], at: number): boolean {
  const first = headerKindOf(lines[at] ?? '');
  if (first !== 'from' && first !== 'date') return false;
  const kinds = new Set<string>();
  for (let next = at; next < at + headerLinesMax && next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    if (line.trim() === '' && kinds.size > 1) break;
    const kind = headerKindOf(line);
    if (kind !== null) kinds.add(kind);
  }
  return kinds.has('from') && kinds.size >= 3;
}

function isMark(line: string): boolean {
  return [quoteMark, cutMark, openMark, closeMark].includes(line);
}

/** Leaves out a signature at the end of a piece: below its delimiter (RFC 3676, section 4.3), or a line that an app added. */
function withoutSignature(piece: string[]): string[] {
  const delimiter = piece.findIndex(
    (line, at) => isDelimiter(line) && countText(piece, at + 1) <= signatureLinesMax,
  );
  const lines = delimiter < 0 ? [...piece] : piece.slice(0, delimiter);
  for (let last = lines.at(-1); last !== undefined; last = lines.at(-1)) {
    if (last.trim() !== '' && !isRule(last) && !isAppSignature(last)) break;
    lines.pop();
  }
  return lines;
}

function isDelimiter(line: string): boolean {
  return line === '--' || line === '—' || /^_{20,}$/.test(line);
}

function isRule(line: string): boolean {
  return /^\s*[_=*-]{3,}\s*$/.test(line);
}

function countText(lines: string[], start: number): number {
  let count = 0;
  for (let at = start; at < lines.length && count <= signatureLinesMax; at += 1)
    if (lines[at]?.trim() !== '') count += 1;
  return count;
}

function trimLines(lines: string[]): string {
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');
}
