const strictUtf8 = new TextDecoder('utf-8', { fatal: true });
const westernEuropean = new TextDecoder('windows-1252');

/** Returns whether all of the bytes are valid UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictUtf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the text of bytes without a charset: UTF-8 if they are valid, otherwise windows-1252, in which any bytes are text. It is also
 * UTF-8 if whole characters outnumber broken ones, as in a name that was cut.
 */
export function decodeUnlabelled(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    const { whole, broken } = countCharacters(bytes);
    return whole > broken ? new TextDecoder().decode(bytes) : westernEuropean.decode(bytes);
  }
}

/** Returns text that is labelled UTF-8, which is read as windows-1252 if most of it beyond ASCII is not UTF-8. */
export function decodeMostlyUtf8(bytes: Buffer): string {
  const text = bytes.toString();
  if (!text.includes('\ufffd') || isUtf8(bytes)) return text;
  const { whole, broken } = countCharacters(bytes);
  return whole > 0 && whole >= broken ? text : westernEuropean.decode(bytes);
}

/** Counts the whole and the broken characters beyond ASCII. One that is cut off at the end or before a quote is neither. */
function countCharacters(bytes: Uint8Array): { whole: number; broken: number } {
  let [whole, broken] = [0, 0];
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at);
    const cutLength = length === 0 ? cutLengthAt(bytes, at) : 0;
    if (length > 1) whole += 1;
    else if (length === 0 && cutLength === 0) broken += 1;
    at += Math.max(1, length, cutLength);
  }
  return { whole, broken };
}

const quote = 0x22;

/** Returns how many bytes are left of a character that is cut off at the end or before a quote, or 0 if there is none. */
function cutLengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0xc2 || first > 0xf4) return 0;
  let end = at + 1;
  while (end < at + characterSize(first) && isContinuation(bytes[end] ?? 0)) end += 1;
  return end === bytes.length || bytes[end] === quote ? end - at : 0;
}

/** Returns the length in bytes of the UTF-8 character at a position, or 0 if there is none. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const size = characterSize(first);
  for (let next = at + 1; next < at + size; next += 1) if (!isContinuation(bytes[next] ?? 0)) return 0;
  return size;
}

function characterSize(first: number): number {
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
}
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
