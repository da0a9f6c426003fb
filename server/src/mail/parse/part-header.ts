/*
 * Rewrites the header of a part with only the fields that describe the part, repaired where it breaks the rules but its meaning is clear.
 * mailparser reads this instead of the original header, so that a header of any length and with any other fields costs it nothing.
 */

import { decodeText } from './decode-body.ts';
import { isUtf8 } from './decode-unlabelled.ts';
import { firstValue, type Header, type HeaderField, readHeader } from './read-header-fields.ts';
import { joinCutWords } from './read-mailboxes.ts';

/** Returns a mail with only those fields of its header that describe its content. */
export function mendMail(raw: Buffer, header: Header = readHeader(raw)): Buffer {
  const head = writeHeader(header.fields, bodyCharset(raw, header));
  const body = mendInnerHeaders(raw.subarray(header.bodyStart));
  return Buffer.concat([head, separateHeaders(body, head.toString('latin1'))]);
}

/** Returns the header of a part, including the empty line after it. `charset` is that of the body of its mail, or null. */
export function mendHeader(header: Buffer, charset: string | null): Buffer {
  return writeHeader(readHeader(header).fields, charset);
}

function writeHeader(fields: HeaderField[], charset: string | null): Buffer {
  const read = (name: string) => {
    const field = fields.find((each) => each.name === name && each.value !== '');
    return field?.isUnlabelled && charset !== null ? inCharset(field.value, charset) : (field?.value ?? '');
  };
  const disposition = mendParameters(read('content-disposition'));
  const encoding = mendEncoding(read('content-transfer-encoding'));
  const type = mendParameters(read('content-type'));
  const isFile =
    /name\*?\d*\*?=/i.test(type + disposition) ||
    /^\s*attachment/i.test(disposition) ||
    /base64|uue/i.test(encoding);
  const lines = [
    ['Content-Type', mendType(type, isFile)],
    ['Content-Disposition', disposition],
    ['Content-Transfer-Encoding', encoding],
    ['Content-ID', read('content-id')],
  ];
  const written = lines.map(([name, value]) => (value === '' ? '' : `${name}: ${value}\r\n`));
  // mailparser would replace invalid characters in text that is not UTF-8.
  return Buffer.from(`${written.join('').replaceAll('\ufffd', '')}\r\n`);
}

/** Returns the type. Without a subtype it is the default, text/plain (RFC 2045, section 5.2), unless it is a file, whose name says more. */
function mendType(value: string, isFile: boolean): string {
  const [type = ''] = value.split(/[;\s]/, 1);
  if (type === '' || type.includes('/')) return value;
  if (/^(?:text|plain|html)$/i.test(type) || !isFile) return `text/plain${value.slice(type.length)}`;
  return '';
}

/** Returns the encoding by its usual name, without quotes, comments and parameters, which other readers pass over. */
function mendEncoding(value: string): string {
  const token = /^(?:\s|\([^()]*\)|["'])*([\w-]+(?: printable)?)/i.exec(value)?.[1] ?? value;
  if (/^(?:x-)?base-?64$/i.test(token)) return 'base64';
  return /^(?:x-)?quoted[-_ ]?printable$/i.test(token) ? 'quoted-printable' : token;
}

const missingSemicolon = /^([^\s;"=]+)\s+(?=[a-z-]+(?:\*\d*\*?)?=)/i;
/** A quote that opens a value and is never closed. */
const openQuote = /([\w*-]+=)"([^";]*)(;[^"]*)?$/;
const windowsPath = /(name=")(?:[a-z]:|\\)\\(?:[^"\\]*\\)*([^"\\]+)"/gi;

function mendParameters(value: string): string {
  const quotes = value.match(/(?<!\\)"/g)?.length ?? 0;
  const closed = quotes % 2 === 0 ? value : value.replace(openQuote, '$1"$2"$3');
  const parted = closed.replace(missingSemicolon, '$1; ').replace(windowsPath, '$1$2"');
  return relabel(joinCutWords(parted));
}

/** An extended value (RFC 8187, section 3.2) with a charset that is ASCII, Latin, UTF-8 or missing. */
const extendedLabel =
  /(\*(?:0\*)?="?)(?:us-ascii|ascii|iso-8859-1|latin1|windows-1252|utf-?8)?(?='[^']{0,40}')/gi;

/** Corrects the charset of names that are not in it: programs write UTF-8 under any label. */
function relabel(value: string): string {
  const octets = Buffer.from((value.match(/%[\da-f]{2}/gi) ?? []).join('').replaceAll('%', ''), 'hex');
  if (octets.every((octet) => octet < 0x80)) return value;
  return value.replace(extendedLabel, isUtf8(octets) ? '$1utf-8' : '$1windows-1252');
}

/** A delimiter, fields, a line of white space, and then neither a field nor an empty line: the white space was meant to end the header. */
const unendedHeader =
  /(\n--[^\n]{1,200}\n(?:[!-,.-9;-~][!-9;-~]{0,80}[ \t]*:[^\n]*\n(?:[ \t]+[^\s][^\n]*\n)*)+)[ \t]+(\r?\n)(?![ \t]|[!-9;-~]{1,80}[ \t]*:|\r?\n)/g;
const whiteLines = ['\n \r\n', '\n\t\r\n', '\n  \r\n', '\n \n', '\n\t\n'];

function mendInnerHeaders(body: Buffer): Buffer {
  if (!whiteLines.some((line) => body.includes(line))) return body;
  return Buffer.from(`\n${body.toString('latin1')}`.replace(unendedHeader, '$1$2').slice(1), 'latin1');
}

/*
 * Inserts an empty line below the header of each part that has none, so that its text is not taken for a part of the header. Other readers
 * also take the first line that is not a field for the beginning of the text.
 */
const lineFeed = 0x0a;
const fieldPattern = /^[!-9;-~]{1,80}[ \t]*:/;
/** Some programs fold a field without white space. No text begins with so long a word. */
const continuationPattern = /^(?:[ \t]|\S{60})/;
const boundaryPattern = /boundary\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s";]{1,200}))/gi;
const delimiterLengthMax = 210;
const headBytesMax = 16_384;
/** mailparser reads no more. */
const partsMax = 1_000;

/** Returns the body of a mail with its parts separated from their headers. `head` is the header of the mail, with its boundary. */
function separateHeaders(body: Buffer, head: string): Buffer {
  const boundaries = new Set<string>();
  addBoundaries(boundaries, head);
  const pieces: Buffer[] = [];
  let written = 0;
  let parts = 0;
  for (let at = nextDelimiter(body, 0); at >= 0 && boundaries.size > 0; at = nextDelimiter(body, at + 2)) {
    const [line = ''] = body.toString('latin1', at + 2, at + delimiterLengthMax).split(/\r?\n/, 1);
    if (!boundaries.has(line.trimEnd())) continue;
    parts += 1;
    if (parts > partsMax) break;
    const { end, isOpen } = readHead(body, afterLine(body, at), boundaries);
    if (!isOpen) continue;
    pieces.push(body.subarray(written, end), Buffer.from('\r\n'));
    written = end;
  }
  return pieces.length === 0 ? body : Buffer.concat([...pieces, body.subarray(written)]);
}

/** Returns where the header of a part ends, and whether a line of text follows at once. */
function readHead(body: Buffer, start: number, boundaries: Set<string>): { end: number; isOpen: boolean } {
  for (let at = start; at < Math.min(body.length, start + headBytesMax); ) {
    const next = afterLine(body, at);
    const line = body.toString('latin1', at, Math.min(next, at + 300));
    const isContinuation = at > start && continuationPattern.test(line);
    const isEnd = line.trim() === '' || line.startsWith('--');
    if (isEnd || (!isContinuation && !fieldPattern.test(line))) {
      addBoundaries(boundaries, body.toString('latin1', start, at));
      return { end: at, isOpen: !isEnd };
    }
    at = next;
  }
  return { end: start, isOpen: false };
}

function addBoundaries(boundaries: Set<string>, head: string): void {
  if (!/multipart/i.test(head)) return;
  for (const [, quoted, bare] of head.matchAll(boundaryPattern))
    boundaries.add((quoted ?? bare ?? '').trimEnd());
}

function nextDelimiter(body: Buffer, from: number): number {
  if (from === 0 && body.toString('latin1', 0, 2) === '--') return 0;
  const found = body.indexOf('\n--', Math.max(0, from - 1));
  return found < 0 ? -1 : found + 1;
}

function afterLine(body: Buffer, at: number): number {
  const found = body.indexOf(lineFeed, at);
  return found < 0 ? body.length : found + 1;
}

const charsetPattern = /charset\s*=\s*"?([\w.:+-]{2,40})/i;
const partTypePattern = /^content-type[ \t]*:[^\n]*(?:\n[ \t][^\n]*){0,10}/gim;
/** Texts come first in a mail. */
const searchedBytes = 65_536;
/** Text in these is ASCII, so that bytes beyond it are something else. */
const sevenBitPattern = /^(?:utf-?(?:7|16|32)|ucs|iso-?2022|hz|us-?ascii)/i;

/**
 * Returns the charset that a mail names for its body: the one in its header, or else in the first part that names one; null if there is
 * none.
 */
export function bodyCharset(raw: Buffer, { fields, bodyStart }: Header): string | null {
  const own = charsetPattern.exec(firstValue(fields, 'content-type') ?? '')?.[1];
  if (own !== undefined) return own;
  const body = raw.toString('latin1', bodyStart, bodyStart + searchedBytes);
  for (const [type] of body.matchAll(partTypePattern)) {
    const charset = charsetPattern.exec(type)?.[1];
    if (charset !== undefined) return charset;
  }
  return null;
}

/** The characters that windows-1252 has between U+0080 and U+009F, in their order. */
const westernCharacters = new TextDecoder('windows-1252').decode(
  Uint8Array.from({ length: 32 }, (_, n) => 128 + n),
);

/** Returns text that was read as windows-1252, since its bytes are no UTF-8, by the charset that they are in. */
export function inCharset(text: string, charset: string): string {
  if (sevenBitPattern.test(charset)) return text;
  const bytes = Buffer.alloc(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const western = code < 0x80 ? -1 : westernCharacters.indexOf(text[at] ?? '');
    if (code > 0xff && western < 0) return text;
    bytes[at] = western < 0 ? code : 0x80 + western;
  }
  return decodeText(bytes, charset);
}
