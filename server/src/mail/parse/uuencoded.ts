const lineFeed = 0x0a;

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
