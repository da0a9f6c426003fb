/*
 * Most mail is a text, or the same text as HTML beside it, written by programs that keep to the standards. Such mail is read here in
 * one go: mailparser's streams take some twenty turns of the event loop and six times the processor for it. Whatever is out of the ordinary
 * is left to mailparser, and for all that is not, the tests hold that both read the same.
 */
import { decodeText } from './decode-body.ts';
import { decodeQuotedPrintable } from './quoted-printable.ts';
import type { TextPart } from './read-mime.ts';

const bytesMax = 262_144;
const partsMax = 100;
const headBytesMax = 16_384;

/** What the header of a part says that matters for reading it. */
interface PartHead {
  contentType: string;
  charset: string;
  encoding: string;
  /** Null for a text. */
  boundary: string | null;
  /** Where the content begins. */
  end: number;
}

interface Delimiter {
  isLast: boolean;
  /** Where the content before it ends, and where the line after it begins. */
  start: number;
  end: number;
}

interface Multipart {
  part: TextPart;
  boundary: string;
}

/** The parts of a mail that has texts only and nothing unusual about it (RFC 2045, RFC 2046); null for every other mail. */
export const readTextParts = (raw: Buffer): TextPart | null => {
  if (raw.length > bytesMax) return null;
  const source = raw.toString('latin1');
  if (loneBreakPattern.test(source) || whiteHeadEndPattern.test(source)) return null;
  const open: Multipart[] = [];
  let root: TextPart | null = null;
  let at = 0;
  for (let parts = 1; parts <= partsMax; parts += 1) {
    const head = readHead(source, at);
    if (!head || open.some(({ boundary }) => boundary === head.boundary)) return null;
    const part: TextPart = { contentType: head.contentType, children: [] };
    open.at(-1)?.part.children.push(part);
    root ??= part;
    const isText = head.boundary === null;
    if (isText && open.length === 0) return readText(part, head, raw.subarray(head.end)) ? root : null;
    if (head.boundary !== null) open.push({ part, boundary: head.boundary });
    const delimiter = findDelimiter(source, head.end, open);
    if (!delimiter) return null;
    const isWhole = isText
      ? readText(part, head, raw.subarray(head.end, delimiter.start))
      : !delimiter.isLast;
    const next = isWhole ? afterMultiparts(source, delimiter, open) : null;
    if (next === null) return null;
    if (open.length === 0) return root;
    at = next;
  }
  return null;
};

const loneBreakPattern = /\r(?!\n)|(?<!\r)\n/;
/** A line of white space behind what looks like the header of a part: mailparser takes the white space out, in a text too. */
const whiteHeadEndPattern =
  /(?:^|\r\n)--[^\r\n]*\r\n(?:[!-9;-~]+:[^\r\n]*\r\n|[ \t]+[^ \t\r\n][^\r\n]*\r\n)+[ \t]+(?:\r\n|$)/;

/** Where the next part begins, after the end of those multiparts that end here; null where one has no proper end. */
const afterMultiparts = (source: string, delimiter: Delimiter, open: Multipart[]): number | null => {
  let last = delimiter;
  while (last.isLast) {
    open.pop();
    if (open.length === 0) break;
    const next = findDelimiter(source, last.end, open);
    if (!next) return null;
    last = next;
  }
  return last.end;
};

/** The next delimiter line of the innermost multipart; null where there is none, or one of another multipart comes before it. */
const findDelimiter = (source: string, from: number, open: Multipart[]): Delimiter | null => {
  const boundary = open.at(-1)?.boundary;
  for (let line = from; line >= 0 && line < source.length; ) {
    if (source.startsWith('--', line)) {
      const found = source.indexOf('\r\n', line);
      const lineEnd = found < 0 ? source.length : found;
      // White space behind a delimiter is allowed (RFC 2046, section 5.1.1); such a mail is left to mailparser.
      const text = source.slice(line + 2, Math.min(lineEnd, line + boundaryLengthMax + 5));
      if (open.some((one) => text.startsWith(one.boundary) && /[ \t]$/.test(text))) return null;
      const isOf = (of: string) => text === of || text === `${of}--`;
      if (boundary !== undefined && isOf(boundary))
        return {
          isLast: text !== boundary,
          start: Math.max(from, line - 2),
          end: Math.min(source.length, lineEnd + 2),
        };
      if (open.some((outer) => isOf(outer.boundary))) return null;
    }
    const next = source.indexOf('\r\n--', line);
    line = next < 0 ? -1 : next + 2;
  }
  return null;
};

const boundaryLengthMax = 200;
const fieldPattern = /^(content-(?:type|transfer-encoding|disposition))[ \t]*:(.*)$/i;
const unprintable = /[^\t\x20-\x7e]/;
const textPattern = /^text\/(?:plain|html)$/;
const multipartPattern = /^multipart\/(?!digest$)[a-z]+$/;
const whiteLinePattern = /(?:^|\r\n)[ \t]+(?:\r\n|$)/;
const encodingPattern = /^(?:7bit|8bit|binary|quoted-printable)$/;
const parameterPattern = /^([a-z-]{1,40})=(?:"([^\s"\\;?()<>]{1,200})"|([^\s"\\;?()<>=']{1,200}))$/i;

/** The header of a part; null where it says something unusual of the content, says it twice, or never ends. */
const readHead = (source: string, from: number): PartHead | null => {
  const isEmpty = source.startsWith('\r\n', from);
  const end = isEmpty ? from : source.indexOf('\r\n\r\n', from);
  if (end < 0 || end - from > headBytesMax) return null;
  const head = source.slice(from, end);
  if (head.startsWith('--') || head.includes('\r\n--') || whiteLinePattern.test(head)) return null;
  const fields = new Map<string, string>();
  for (const line of head.replace(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const [, name, value] = fieldPattern.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    if (fields.has(name.toLowerCase()) || unprintable.test(value)) return null;
    fields.set(name.toLowerCase(), value.trim());
  }
  const type = readType(fields.get('content-type') ?? 'text/plain');
  const encoding = (fields.get('content-transfer-encoding') ?? '7bit').toLowerCase();
  if (!type || !encodingPattern.test(encoding)) return null;
  if ((fields.get('content-disposition') ?? 'inline').toLowerCase() !== 'inline') return null;
  if (type.boundary !== null && encoding === 'quoted-printable') return null;
  return { ...type, encoding, end: end + (isEmpty ? 2 : 4) };
};

/** The type of a part that is a text or has parts; null for every other, and for parameters that are not usual. */
const readType = (value: string): Pick<PartHead, 'contentType' | 'charset' | 'boundary'> | null => {
  const [type = '', ...rest] = value.split(';').map((piece) => piece.trim());
  const contentType = type.toLowerCase();
  const parameters = new Map<string, string>();
  for (const piece of rest) {
    const [, name, quoted, bare] = parameterPattern.exec(piece) ?? [];
    if (name === undefined || parameters.has(name.toLowerCase())) return null;
    parameters.set(name.toLowerCase(), quoted ?? bare ?? '');
  }
  const [charset, boundary] = [parameters.get('charset'), parameters.get('boundary')];
  if (textPattern.test(contentType)) {
    const isUsual = parameters.size === (charset === undefined ? 0 : 1);
    return isUsual ? { contentType, charset: charset ?? '', boundary: null } : null;
  }
  if (!multipartPattern.test(contentType) || boundary === undefined) return null;
  return { contentType, charset: '', boundary };
};

/** Gives the part its text, unless it has none: mailparser reads an empty line there. */
const readText = (part: TextPart, { charset, encoding }: PartHead, encoded: Buffer): boolean => {
  if (encoded.length === 0) return false;
  const bytes = encoding === 'quoted-printable' ? decodeQuotedPrintable(encoded) : encoded;
  part.textContent = decodeText(bytes, charset).replaceAll('\r\n', '\n');
  return true;
};
