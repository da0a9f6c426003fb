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
    return hasMoreWholeCharacters(bytes) ? new TextDecoder().decode(bytes) : westernEuropean.decode(bytes);
  }
};

/** Text that is called UTF-8; windows-1252 where most of what is beyond ASCII is not UTF-8. */
export const decodeMostlyUtf8 = (bytes: Buffer): string => {
  const text = bytes.toString();
  if (!text.includes('\ufffd') || isUtf8(bytes)) return text;
  return hasMoreWholeCharacters(bytes) ? text : westernEuropean.decode(bytes);
};

const hasMoreWholeCharacters = (bytes: Uint8Array): boolean => {
  let [whole, broken] = [0, 0];
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at);
    if (length > 1) whole += 1;
    else if (length === 0) broken += 1;
    at += Math.max(1, length);
  }
  return whole > broken;
};

/** How many bytes the character of UTF-8 has that begins at a byte; 0 when none does. */
const lengthAt = (bytes: Uint8Array, at: number): number => {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  for (let next = at + 1; next < at + length; next += 1) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
};
