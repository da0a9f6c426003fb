/*
 * Most mail is a text, or a text and the same as HTML, written by programs that follow the standards. Such mail is read here in one go,
 * since mailparser's streams take some twenty turns of the event loop and six times the CPU time for it. Anything unusual is left to
 * mailparser, and the tests check that both read all other mail the same way.
 */
import { decodeText } from './decode-body.ts';
import { decodeQuotedPrintable } from './encodings.ts';

const bytesMax = 262_144;
const partsMax = 100;
const headBytesMax = 16_384;

/** The contents of a part's header that matter for reading the part. */
interface PartHead {
  contentType: string;
  charset: string;
  encoding: string;
  /** Null for a text. */
  boundary: string | null;
  /** The position at which the content begins. */
  end: number;
}

interface Delimiter {
  isLast: boolean;
  /** The position at which the content before it ends. `end` is where the line after it begins. */
  start: number;
  end: number;
}

interface Multipart {
  part: TextPart;
  boundary: string;
}

/** Returns the parts of a mail that has only texts and is otherwise ordinary (RFC 2045, RFC 2046). Returns null for any other mail. */
export function readTextParts(raw: Buffer): TextPart | null {
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
}

const loneBreakPattern = /\r(?!\n)|(?<!\r)\n/;
/** A line of white space after something that looks like the header of a part. mailparser removes the white space, even in a text. */
const whiteHeadEndPattern =
  /(?:^|\r\n)--[^\r\n]*\r\n(?:[!-9;-~]+:[^\r\n]*\r\n|[ \t]+[^ \t\r\n][^\r\n]*\r\n)+[ \t]+(?:\r\n|$)/;

/** Returns where the next part begins, after the multiparts that end here. Returns null if one of them has no proper end. */
function afterMultiparts(source: string, delimiter: Delimiter, open: Multipart[]): number | null {
  let last = delimiter;
  while (last.isLast) {
    open.pop();
    if (open.length === 0) break;
    const next = findDelimiter(source, last.end, open);
    if (!next) return null;
    last = next;
  }
  return last.end;
}

/** Returns the next delimiter line of the innermost multipart. Returns null if there is none or if one of another multipart comes first. */
function findDelimiter(source: string, from: number, open: Multipart[]): Delimiter | null {
  const boundary = open.at(-1)?.boundary;
  for (let line = from; line >= 0 && line < source.length; ) {
    if (source.startsWith('--', line)) {
      const found = source.indexOf('\r\n', line);
      const lineEnd = found < 0 ? source.length : found;
      // White space after a delimiter is allowed (RFC 2046, section 5.1.1), but such a mail is left to mailparser.
      const text = source.slice(line + 2, Math.min(lineEnd, line + boundaryLengthMax + 5));
      if (open.some((one) => text.startsWith(one.boundary) && /[ \t]$/.test(text))) return null;
      const hasType = (of: string) => text === of || text === `${of}--`;
      if (boundary !== undefined && hasType(boundary))
        return {
          isLast: text !== boundary,
          start: Math.max(from, line - 2),
          end: Math.min(source.length, lineEnd + 2),
        };
      if (open.some((outer) => hasType(outer.boundary))) return null;
    }
    const next = source.indexOf('\r\n--', line);
    line = next < 0 ? -1 : next + 2;
  }
  return null;
}

const boundaryLengthMax = 200;
const fieldPattern = /^(content-(?:type|transfer-encoding|disposition))[ \t]*:(.*)$/i;
const anyFieldPattern = /^[!-9;-~]+[ \t]*:/;
const unprintable = /[^\t\x20-\x7e]/;
const textPattern = /^text\/(?:plain|html)$/;
const multipartPattern = /^multipart\/(?!digest$)[a-z]+$/;
const whiteLinePattern = /(?:^|\r\n)[ \t]+(?:\r\n|$)/;
const encodingPattern = /^(?:7bit|8bit|binary|quoted-printable)$/;
const parameterPattern = /^([a-z-]{1,40})=(?:"([^\s"\\;?()<>]{1,200})"|([^\s"\\;?()<>=']{1,200}))$/i;

/** Returns the header of a part. Returns null if it says something unusual about the content, says it twice, or never ends. */
function readHead(source: string, from: number): PartHead | null {
  const isEmpty = source.startsWith('\r\n', from);
  const end = isEmpty ? from : source.indexOf('\r\n\r\n', from);
  if (end < 0 || end - from > headBytesMax) return null;
  const head = source.slice(from, end);
  if (head.startsWith('--') || head.includes('\r\n--') || whiteLinePattern.test(head)) return null;
  const fields = new Map<string, string>();
  for (const line of head.replace(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    if (!anyFieldPattern.test(line)) return null;
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
}

/** Returns the type of a part that is a text or a multipart. Returns null for any other part, and for unusual parameters. */
function readType(value: string): Pick<PartHead, 'contentType' | 'charset' | 'boundary'> | null {
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
}

/** Sets the text of the part. Returns false if it is empty, because mailparser reads an empty line there. */
function readText(part: TextPart, { charset, encoding }: PartHead, encoded: Buffer): boolean {
  if (encoded.length === 0) return false;
  const bytes = encoding === 'quoted-printable' ? decodeQuotedPrintable(encoded) : encoded;
  part.textContent = decodeText(bytes, charset).replaceAll('\r\n', '\n');
  return true;
}

/** A part of the tree: a container with children, or a text with its content. */
export interface TextPart {
  contentType: string | false;
  textContent?: string;
  /** Present for a text of format=flowed. */
  flowed?: { delSp: boolean };
  isAttachment?: boolean;
  children: TextPart[];
}
