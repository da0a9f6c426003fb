const strictUtf8 = new TextDecoder('utf-8', { fatal: true });
const westernEuropean = new TextDecoder('windows-1252');

/** Whether bytes are UTF-8 from the first to the last. */
export const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    strictUtf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
};

/**
 * The text of bytes that do not say what they are: UTF-8 if they can be, else windows-1252, in which any bytes are text. Where a
 * character of UTF-8 is broken among whole ones, such as a name that was cut, it is UTF-8 all the same.
 */
export const decodeUnlabelled = (bytes: Uint8Array): string => {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    const { whole, broken } = countCharacters(bytes);
    return whole > broken ? new TextDecoder().decode(bytes) : westernEuropean.decode(bytes);
  }
};

/** Text that is called UTF-8; windows-1252 where most of what is beyond ASCII is not UTF-8. */
export const decodeMostlyUtf8 = (bytes: Buffer): string => {
  const text = bytes.toString();
  if (!text.includes('\ufffd') || isUtf8(bytes)) return text;
  const { whole, broken } = countCharacters(bytes);
  return whole > 0 && whole >= broken ? text : westernEuropean.decode(bytes);
};

/** How many characters beyond ASCII are whole and broken. One that is cut off at the end or before a quote is neither. */
const countCharacters = (bytes: Uint8Array): { whole: number; broken: number } => {
  let [whole, broken] = [0, 0];
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at);
    const cutLength = length === 0 ? cutLengthAt(bytes, at) : 0;
    if (length > 1) whole += 1;
    else if (length === 0 && cutLength === 0) broken += 1;
    at += Math.max(1, length, cutLength);
  }
  return { whole, broken };
};

const quote = 0x22;

/** How many bytes are left of a character that is cut off at the end or before a quote; 0 when none is. */
const cutLengthAt = (bytes: Uint8Array, at: number): number => {
  const first = bytes[at] ?? 0;
  if (first < 0xc2 || first > 0xf4) return 0;
  let end = at + 1;
  while (end < at + sizeOf(first) && isContinuation(bytes[end] ?? 0)) end += 1;
  return end === bytes.length || bytes[end] === quote ? end - at : 0;
};

/** How many bytes the character of UTF-8 has that begins at a byte; 0 when none does. */
const lengthAt = (bytes: Uint8Array, at: number): number => {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const size = sizeOf(first);
  for (let next = at + 1; next < at + size; next += 1) if (!isContinuation(bytes[next] ?? 0)) return 0;
  return size;
};

const sizeOf = (first: number): number => (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2);
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;
