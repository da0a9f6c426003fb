/*
 * Extracts the new text of a reply, without signatures and without the history that the client quoted, in one pass over the lines. A
 * quotation is removed along with the sentence that announces it. Text between quotations is kept, so replies between quoted lines are
 * kept, too. If a client quotes without marking lines (a header block, "Original Message", a sentence with date and author), everything
 * that follows is history. A mail that is not a reply is kept whole, and so is a forward, in which the other mail is the message. In case
 * of doubt, text is kept.
 */
import { isAmbiguousSubject, isForwardSubject, isReplySubject } from '../compose/reply-texts.ts';
import { htmlToPlainText } from '../parse/html-to-plain-text.ts';
import { runOnAttribution } from './attribution-patterns.ts';
import { type Attribution, findAttributions, readOwnMarks } from './attributions.ts';
import { asksForReplyAbove, marksForward, marksOriginal, measureHeader } from './history-patterns.ts';
import {
  closeMark,
  cutMark,
  hasQuotationMarkup,
  htmlToMarkedText,
  openMark,
  quoteMark,
} from './reply-html.ts';
import { withoutSignature } from './signature-patterns.ts';

/** A longer text is no reply that a person wrote. The text beyond this length is left out. */
const textLengthMax = 250_000;

/** The line above a message that Danish and Norwegian mail programs forward. */
const scandinavianHeader = /^[*_ ]{0,3}Fra[*_ ]{0,3}:/im;

/** The facts that tell a reply from other mail. */
interface ReplyContext {
  subject?: string;
  /** Whether the header names a mail to which this one replies. */
  answers?: boolean;
  /** Whether a machine sent it. In that case a sentence above unmarked lines announces new text, such as a comment on a ticket. */
  automatic?: boolean;
}

interface Source {
  lines: string[];
  automatic: boolean;
  attributions: Map<number, Attribution>;
}

/** The contents of a reply: the lines that are kept, in pieces between quotations. */
interface Found {
  pieces: string[][];
  /** How the history was recognised, if there is any: by its own marks, or by the text above it. */
  history: 'none' | 'marked' | 'announced';
}

/** The new text of a mail, and whether text after the first 250,000 characters was left out. */
interface NewText {
  text: string | null;
  isCut: boolean;
}

/**
 * Returns the new text of a mail, or null if it has no body. `html` is the better source if its client marks quotations in it. Nothing is
 * left out of a mail that is not a reply by its header or subject, unless it quotes in marked lines below a sentence that announces the
 * quotation.
 */
export function extractReply(
  text: string | null,
  html: string | null,
  context: ReplyContext = {},
): string | null {
  return readReply(text, html, context).text;
}

/** Returns the text of `extractReply`, and whether it was cut. */
export function readReply(
  text: string | null,
  html: string | null,
  { subject = '', answers = false, automatic = false }: ReplyContext = {},
): NewText {
  const body = text ?? (html === null ? null : htmlToPlainText(html));
  if (body === null) return { text: null, isCut: false };
  const whole = { text: body.slice(0, textLengthMax).trim(), isCut: body.length > textLengthMax };
  const isFinnishReply = isAmbiguousSubject(subject) && !scandinavianHeader.test(whole.text);
  if (isForwardSubject(subject) && !isFinnishReply) return whole;
  const isMarkedUp = html !== null && hasQuotationMarkup(html);
  const isReply = answers || isFinnishReply || isReplySubject(subject);
  if (!isReply && !isMarkedUp && !quotedLine.test(whole.text)) return whole;
  const marked = isMarkedUp ? htmlToMarkedText(html) : body;
  const source = readSource(marked, automatic);
  if (!isReply && !quotesInMarkedLines(source)) return whole;
  const found = findNewText(source);
  const reply = joinPieces(found.pieces.map(withoutSignature));
  // Text below an announcement may also be the reply, or a message that was forwarded without comment.
  if (reply === '' && found.history !== 'marked') return whole;
  return { text: reply, isCut: marked.length > textLengthMax };
}

function readSource(text: string, automatic: boolean): Source {
  const lines: string[] = [];
  const plain = text
    .slice(0, textLengthMax)
    .replace(/[\u200b\ufeff]/g, '')
    .replace(/\u00a0/g, ' ');
  for (const line of plain.split(/\r\n|\n|\r/)) {
    const above = lines.at(-1) ?? '';
    // The line was wrapped inside "<ada@example.com>:", so that its rest looks quoted.
    if (line.startsWith('>') && line.length < 30 && wrappedEnd.test(line) && openAddress.test(above))
      lines.splice(-1, 1, above + line.trimEnd());
    else lines.push(...splitRunOn(line === '-- ' ? line : line.trimEnd()));
  }
  const attributions = findAttributions(lines, canAnnounce);
  return { lines: readOwnMarks(lines, attributions), automatic, attributions };
}

const wrappedEnd = /^>\s{0,3}[\p{L}\s]{0,20}[:：]\s*$/u;
const openAddress = /<[^<>\s]{1,100}@[^<>\s]{1,100}$/;

function canAnnounce(line: string): boolean {
  return line !== '' && line.trim() !== '' && !isMark(line) && !isQuoted(line);
}

function splitRunOn(line: string): string[] {
  const length = runOnAttribution(line);
  return length === 0 ? [line] : [line.slice(0, length), line.slice(length)];
}

function quotesInMarkedLines({ lines, attributions }: Source): boolean {
  for (const { end, weight } of attributions.values()) {
    const line = lines[skipBlank(lines, end)] ?? '';
    if (weight === 'certain' && (line === openMark || isQuoted(line))) return true;
  }
  return false;
}

function findNewText(source: Source): Found {
  const { lines } = source;
  const pieces: string[][] = [[]];
  let history: Found['history'] = 'none';
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    // A forwarded message is part of the mail, to its end.
    if (marksForward(line)) {
      pieces.at(-1)?.push(...lines.slice(at).filter((one) => !isMark(one)));
      break;
    }
    if (asksForReplyAbove(line)) {
      // If nothing is above it, a help desk sent it, and its text is below.
      if (pieces.some((piece) => piece.some((one) => one.trim() !== ''))) {
        history = 'marked';
        break;
      }
      at += 1;
      continue;
    }
    const code = endOfCode(lines, at);
    if (code !== null) {
      pieces.at(-1)?.push(...lines.slice(at, code));
      at = code;
      continue;
    }
    const old = measureHistory(source, at);
    if (old) {
      if (history !== 'marked') history = old.isMarked ? 'marked' : 'announced';
      pieces.push([]);
      at = old.end;
      continue;
    }
    if (line !== openMark && line !== closeMark) pieces.at(-1)?.push(line);
    at += 1;
  }
  return { pieces, history };
}

const codeLinesMax = 200;

/** Returns the line after a block between two lines of three backticks, in which ">" marks nothing; null if no block begins here. */
function endOfCode(lines: string[], at: number): number | null {
  if (!lines[at]?.startsWith('```')) return null;
  const close = lines.slice(at + 1, at + codeLinesMax).indexOf('```');
  return close < 0 ? null : at + close + 2;
}

/** Returns where the history that begins at a line ends, including its announcement. Returns null if none begins. */
function measureHistory(
  { lines, attributions, automatic }: Source,
  at: number,
): { end: number; isMarked: boolean } | null {
  const line = lines[at] ?? '';
  const rest = { end: lines.length, isMarked: false };
  if (line === cutMark) return rest;
  if (isQuoted(line)) return { end: skipQuoted(lines, at), isMarked: true };
  const announced = attributions.get(at);
  const below = marksOriginal(line) ? at + 1 : (announced?.end ?? measureHeader(lines, at));
  if (below === null) return null;
  const next = announced?.weight === 'bare' ? below : skipAnnouncements(attributions, lines, below);
  if (lines[next] === openMark) return { end: skipFrame(lines, next), isMarked: true };
  if (isQuoted(lines[next] ?? '')) return { end: skipQuoted(lines, next), isMarked: true };
  // If lines are marked by initials (" BX> "), the reply may be below them.
  if (quotedByInitials.test(lines[next] ?? '')) return null;
  // Without a visible quotation, a sentence makes the rest history only if it has a date and an author.
  return announced && (automatic || announced.weight !== 'certain') ? null : rest;
}

/** Returns the position after the blank lines, and after the sentence or header below "Original Message". */
function skipAnnouncements(attributions: Source['attributions'], lines: string[], start: number): number {
  const next = skipBlank(lines, start);
  const end = attributions.get(next)?.end ?? measureHeader(lines, next);
  return end === null ? next : skipBlank(lines, end);
}

const quotedLine = /^ {0,2}>/m;
const quotedByInitials = /^\s{0,2}\p{Lu}{1,4}>/u;

function isQuoted(line: string): boolean {
  return line === quoteMark || (/^ {0,2}>/.test(line) && !line.startsWith('>From '));
}

/** Returns the position after quoted lines and the blank lines between them. */
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

function isMark(line: string): boolean {
  return (
    line.length === 1 && (line === quoteMark || line === cutMark || line === openMark || line === closeMark)
  );
}

/** Returns pieces of text as one, with a blank line between them and never two. */
function joinPieces(pieces: string[][]): string {
  return pieces
    .map((piece) =>
      piece
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .replace(/^\n+|\n+$/g, ''),
    )
    .filter((piece) => piece.trim() !== '')
    .join('\n\n');
}
