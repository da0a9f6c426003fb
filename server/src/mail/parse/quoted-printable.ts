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
