import type { ByteRange } from './files.ts';

const segmentPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const keyLengthMax = 512;
const segmentLengthMax = 128;

/**
 * Returns the segments of a key or of a prefix that ends with a whole segment. Throws a TypeError for anything that could leave its folder
 * or name something hidden (`..`, `/x`, `a//b`, NUL, `.tmp`).
 */
export function splitKey(key: string): string[] {
  const segments = key.length > keyLengthMax ? [] : key.split('/');
  const valid = segments.every((part) => part.length <= segmentLengthMax && segmentPattern.test(part));
  if (segments.length === 0 || !valid)
    throw new TypeError(`Not a key of a file: ${JSON.stringify(key.slice(0, 80))}`);
  return segments;
}

/** Throws a RangeError if a range is backwards, or if a file of `sizeBytes` (if known) has none of its bytes. */
export function checkRange({ start, end }: ByteRange, sizeBytes = Number.POSITIVE_INFINITY): void {
  if (start >= 0 && end >= start && start < sizeBytes) return;
  throw new RangeError(`There are no bytes ${start}-${end} in a file of ${sizeBytes} bytes.`);
}
