import { parseLimits } from './parsed-mail.ts';

/** A header field: its name in lower case and its value on one line, encoded words still encoded. */
export interface HeaderField {
  name: string;
  value: string;
}

const lineFeed = 0x0a;
const namePattern = /^([!-9;-~]{1,256})[ \t]*:/;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });
const westernEuropean = new TextDecoder('windows-1252');

/** The text of bytes that do not say what they are: UTF-8 if they can be, else windows-1252, in which any bytes are text. */
export function decodeUnlabelled(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return westernEuropean.decode(bytes);
  }
}

/**
 * The header fields of a raw mail in their order, in one pass over at most 1 MiB and 2,000 fields. Lines that are neither a
 * field nor the continuation of one are left out. Of a value longer than `fieldBytesMax` the beginning is kept, of
 * `References` the end, since the nearest ancestors stand there.
 */
export function readHeaderFields(
  raw: Buffer,
  fieldBytesMax: number = parseLimits.headerFieldBytesMax,
): HeaderField[] {
  const fields: HeaderField[] = [];
  const end = Math.min(raw.length, parseLimits.headerBytesMax);
  let open: { name: string; start: number } | null = null;
  let at = 0;
  const finish = (to: number): void => {
    if (open && fields.length < parseLimits.headerFieldsMax)
      fields.push({ name: open.name, value: readValue(raw, open.name, open.start, to, fieldBytesMax) });
    open = null;
  };
  while (at < end && fields.length < parseLimits.headerFieldsMax) {
    const found = raw.indexOf(lineFeed, at);
    const next = found < 0 || found >= end ? end : found + 1;
    const first = raw[at];
    const isBlank = first === lineFeed || (first === 0x0d && raw[at + 1] === lineFeed);
    if (isBlank) break;
    if (first !== 0x20 && first !== 0x09) {
      finish(at);
      const [head, name] = namePattern.exec(raw.toString('latin1', at, Math.min(next, at + 300))) ?? [];
      if (head !== undefined && name !== undefined)
        open = { name: name.toLowerCase(), start: at + head.length };
    }
    at = next;
  }
  finish(at);
  return fields;
}

function readValue(raw: Buffer, name: string, start: number, end: number, bytesMax: number): string {
  const tooLong = end - start > bytesMax;
  const from = tooLong && name === 'references' ? end - bytesMax : start;
  const to = tooLong && name !== 'references' ? start + bytesMax : end;
  return decodeUnlabelled(raw.subarray(from, to))
    .replace(/\r?\n(?=[ \t]|$)/g, '')
    .trim();
}

/** The value of the first field with a name that is not empty, or null. */
export function firstValue(fields: HeaderField[], name: string): string | null {
  return fields.find((field) => field.name === name && field.value !== '')?.value ?? null;
}

/** The values of all fields with a name, in their order. */
export function allValues(fields: HeaderField[], name: string): string[] {
  return fields.filter((field) => field.name === name).map(({ value }) => value);
}
