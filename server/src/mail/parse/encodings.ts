const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const equals = 0x3d;

/**
 * Decodes quoted-printable (RFC 2045, section 6.7). White space at the end of a line is removed. An `=` that begins nothing is kept, and so
 * are bytes beyond ASCII: they are not allowed, but most likely belong to the charset that the part names.
 */
export function decodeQuotedPrintable(encoded: Uint8Array): Buffer {
  const decoded = Buffer.allocUnsafe(encoded.length);
  let length = 0;
  // White space up to here was escaped or comes before a soft break, and is kept even at the end of a line.
  let fixed = 0;
  let at = 0;
  while (at < encoded.length) {
    const byte = encoded[at]!;
    if (byte === equals) {
      const value = escapedValue(encoded, at);
      const next = value < 0 ? endOfSoftBreak(encoded, at + 1) : at + 3;
      if (value >= 0) decoded[length++] = value;
      else if (next < 0) decoded[length++] = equals;
      at = next < 0 ? at + 1 : next;
      fixed = length;
    } else {
      if (byte === lineFeed || byte === carriageReturn) length = withoutSpace(decoded, length, fixed);
      decoded[length++] = byte;
      at += 1;
    }
  }
  return decoded.subarray(0, withoutSpace(decoded, length, fixed));
}

/** Returns where the white space at the end begins, not counting the first `fixed` bytes. */
function withoutSpace(bytes: Uint8Array, end: number, fixed: number): number {
  let length = end;
  while (length > fixed && (bytes[length - 1] === space || bytes[length - 1] === tab)) length -= 1;
  return length;
}

/** Returns the byte of an escape, `=` and two digits, or a negative number if there is none. */
function escapedValue(encoded: Uint8Array, at: number): number {
  const high = hexValues[encoded[at + 1] ?? 0]!;
  const low = hexValues[encoded[at + 2] ?? 0]!;
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

const hexValues = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = String.fromCharCode(byte);
  return /[\da-f]/i.test(digit) ? Number.parseInt(digit, 16) : -1;
});

/** Returns where the next line begins if the rest of this one is white space, or a negative number if it is not. */
function endOfSoftBreak(encoded: Uint8Array, from: number): number {
  let at = from;
  while (encoded[at] === space || encoded[at] === tab) at += 1;
  if (at === encoded.length) return at;
  if (encoded[at] === lineFeed) return at + 1;
  return encoded[at] === carriageReturn && encoded[at + 1] === lineFeed ? at + 2 : -1;
}

/** Returns the bytes of a uuencoded file (POSIX uuencode). Bytes without such a file are returned unchanged. */
export function decodeUuencoded(encoded: Buffer): Buffer {
  const decoded = Buffer.alloc(encoded.length);
  let length = 0;
  let isOpen = false;
  for (let at = 0; at < encoded.length; ) {
    const found = encoded.indexOf(lineFeed, at);
    const end = found < 0 ? encoded.length : found;
    const head = encoded.toString('latin1', at, Math.min(end, at + 16));
    if (!isOpen) isOpen = /^begin [0-7]{3,4} /.test(head);
    else if (/^end\s*$/.test(head)) break;
    else length += decodeLine(encoded.subarray(at, end), decoded.subarray(length));
    at = end + 1;
  }
  return isOpen ? decoded.subarray(0, length) : encoded;
}

/** Decodes a line into `decoded`, and returns the number of bytes written. */
function decodeLine(line: Buffer, decoded: Buffer): number {
  const valueAt = (at: number) => ((line[at] ?? 0x20) - 0x20) & 0x3f;
  const count = Math.min(valueAt(0), decoded.length);
  for (let byte = 0; byte < count; byte += 1) {
    const place = byte % 3;
    const at = 1 + ((byte - place) / 3) * 4 + place;
    decoded[byte] = (valueAt(at) << (2 + 2 * place)) | (valueAt(at + 1) >> (4 - 2 * place));
  }
  return count;
}

/** A line of format=flowed: the depth of its quotation, and its text without the quote marks and the space that was stuffed before it. */
interface FlowedLine {
  depth: number;
  text: string;
}

/**
 * Returns text of format=flowed with each paragraph on one line (RFC 3676, sections 4.1 to 4.5). Lines of different depth are never joined,
 * and the delimiter of a signature is never joined to anything. With `delSp`, the space before a soft line break was added and is removed.
 */
export function unfoldFlowed(content: string, delSp: boolean): string {
  const lines: string[] = [];
  let depth = 0;
  let pieces: string[] = [];
  const finish = () => {
    if (pieces.length > 0) lines.push(write({ depth, text: pieces.join('') }));
    pieces = [];
  };
  for (const raw of content.split('\n')) {
    const line = readLine(raw);
    const isDelimiter = line.text === '-- ';
    if (line.depth !== depth || isDelimiter) finish();
    depth = line.depth;
    const isSoft = line.text.endsWith(' ') && !isDelimiter;
    pieces.push(isSoft && delSp ? line.text.slice(0, -1) : line.text);
    if (!isSoft) finish();
  }
  finish();
  return lines.join('\n');
}

function readLine(line: string): FlowedLine {
  let depth = 0;
  while (line[depth] === '>') depth += 1;
  const rest = line.slice(depth);
  return { depth, text: rest.startsWith(' ') ? rest.slice(1) : rest };
}

function write({ depth, text }: FlowedLine): string {
  if (depth > 0) return `${'>'.repeat(depth)} ${text}`.trimEnd();
  return text === '-- ' ? text : text.trimEnd();
}
