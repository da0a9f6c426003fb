import { decodeUnlabelled, isUtf8 } from './decode-unlabelled.ts';

/** The limits of what is parsed from one mail. */
export const parseLimits = {
  bodyBytesMax: 5 * 1_048_576,
  subjectLengthMax: 2_000,
  nameLengthMax: 255,
  addressLengthMax: 320,
  /** The number of addresses of each field, and of all their characters. */
  addressesMax: 2_000,
  addressCharactersMax: 65_536,
  inReplyToMax: 100,
  /** The first one and the last ones are kept. */
  referencesMax: 500,
  idLengthMax: 995,
  mimeTypeLengthMax: 127,
  headerBytesMax: 4 * 1_048_576,
  /** The number of lines that can begin a field. Fewer fields than that are kept. */
  headerStartsMax: 20_000,
  headerFieldsMax: 2_000,
  headerFieldBytesMax: 131_072,
  /** No honest author writes more. A longer From names nobody. */
  fromBytesMax: 4_096,
} as const;

/** A header field: its name in lower case, and its value on one line with encoded words not decoded. */
export interface HeaderField {
  name: string;
  value: string;
  /** Whether the value is only the beginning of the field. */
  isCut?: true;
  /** Whether its bytes are no UTF-8, and so most likely in the charset of the body. */
  isUnlabelled?: true;
}

const lineFeed = 0x0a;
const namePattern = /^([!-9;-~]{1,256})[ \t]*:/;

/** The fields that matter, which a flood of others must not crowd out. */
const knownNames = new Set(
  'from sender to cc bcc reply-to subject date message-id in-reply-to references thread-index dkim-signature arc-seal arc-message-signature arc-authentication-results auto-submitted precedence received list-id list-unsubscribe content-type content-disposition content-transfer-encoding content-id'.split(
    ' ',
  ),
);

/** The fields of a header, and the position of the body after it. */
export interface Header {
  fields: HeaderField[];
  bodyStart: number;
}

/**
 * Returns the header fields of a raw mail in their order, in one pass over at most 4 MiB and 20,000 lines that begin a field. At most 2,000
 * of the fields that matter and 2,000 others are kept. Lines that are neither a field nor the continuation of one are left out. Of a value
 * longer than `fieldBytesMax` the beginning is kept, and of From no more than 4 KB, whatever `fieldBytesMax` is. Of `References` the oldest
 * ids and the end are kept, since the nearest ancestors are there.
 */
export function readHeaderFields(
  raw: Buffer,
  fieldBytesMax: number = parseLimits.headerFieldBytesMax,
): HeaderField[] {
  return readHeader(raw, fieldBytesMax).fields;
}

/**
 * The same as `readHeaderFields`, and also returns where the body begins: after an empty line, or at a line that is no field and either
 * follows a line of white space or looks like the delimiter of a part. Without any of them, it begins at the first line that is no field.
 */
export function readHeader(raw: Buffer, fieldBytesMax: number = parseLimits.headerFieldBytesMax): Header {
  const fields: HeaderField[] = [];
  const room = { known: parseLimits.headerFieldsMax, other: parseLimits.headerFieldsMax };
  let open: { name: string; start: number } | null = null;
  let isWhite = false;
  let firstOdd: number | null = null;
  let at = 0;
  const finish = (to: number): void => {
    const kind = open && knownNames.has(open.name) ? 'known' : 'other';
    if (open && room[kind]-- > 0) fields.push(readField(raw, open, to, fieldBytesMax));
    open = null;
  };
  const end = Math.min(raw.length, parseLimits.headerBytesMax);
  for (let starts = 0; at < end && starts < parseLimits.headerStartsMax; ) {
    const found = raw.indexOf(lineFeed, at);
    const next = found < 0 ? raw.length : found + 1;
    const first = raw[at];
    if (first === lineFeed || (first === 0x0d && raw[at + 1] === lineFeed)) {
      finish(at);
      return { fields, bodyStart: next };
    }
    const isContinuation = first === 0x20 || first === 0x09;
    if (!isContinuation) {
      starts += 1;
      finish(at);
      const text = raw.toString('latin1', at, Math.min(next, at + 300));
      const [head, name] = namePattern.exec(text) ?? [];
      if (head !== undefined && name !== undefined)
        open = { name: name.toLowerCase(), start: at + head.length };
      else if (isWhite || text.startsWith('--')) return { fields, bodyStart: at };
      else firstOdd ??= at;
    }
    isWhite = isContinuation && next - at < 1_000 && raw.toString('latin1', at, next).trim() === '';
    at = next;
  }
  finish(at);
  return { fields, bodyStart: at >= raw.length ? (firstOdd ?? raw.length) : endOfHeader(raw, at) };
}

/** Returns the position after the first empty line from `start` on. */
function endOfHeader(raw: Buffer, start: number): number {
  const ends = ['\n\r\n', '\n\n'].flatMap((empty) => {
    const at = raw.indexOf(empty, Math.max(0, start - 1));
    return at < 0 ? [] : [at + empty.length];
  });
  return Math.min(raw.length, ...ends);
}

const oldestBytes = 2_048;

function readField(
  raw: Buffer,
  { name, start }: { name: string; start: number },
  end: number,
  fieldBytesMax: number,
): HeaderField {
  const bytesMax = name === 'from' ? parseLimits.fromBytesMax : fieldBytesMax;
  if (name !== 'references' || end - start <= bytesMax) {
    const bytes = raw.subarray(start, Math.min(end, start + bytesMax));
    const field: HeaderField = { name, value: unfold(bytes) };
    if (end - start > bytesMax) field.isCut = true;
    if (/[^\0-\x7f]/.test(field.value) && !isUtf8(bytes)) field.isUnlabelled = true;
    return field;
  }
  const oldest = unfold(raw.subarray(start, start + oldestBytes));
  const newest = unfold(raw.subarray(end - bytesMax + oldestBytes, end));
  const value = `${oldest.slice(0, oldest.lastIndexOf('>') + 1)} ${newest.slice(Math.max(0, newest.indexOf('<')))}`;
  return { name, value, isCut: true };
}

/** Returns the value of a field on one line. */
export function unfold(value: Uint8Array): string {
  return decodeUnlabelled(value)
    .replace(/\r?\n(?=[ \t]|$)/g, '')
    .trim();
}

/** Returns the first value with this name that is not empty, or null. */
export function firstValue(fields: HeaderField[], name: string): string | null {
  return fields.find((field) => field.name === name && field.value !== '')?.value ?? null;
}

/** Returns the values of all fields with this name, in their order. */
export function allValues(fields: HeaderField[], name: string): string[] {
  return fields.filter((field) => field.name === name).map(({ value }) => value);
}
