import type { Readable } from 'node:stream';

/** The first and the last requested byte, both counted from 0 and both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The size and hash of a stored file. */
export interface StoredFile {
  sizeBytes: number;
  sha256: Buffer;
}

/** Bytes of a stored file; `sizeBytes` is the size of the whole file. The stream must be read to its end or destroyed. */
export interface OpenedFile {
  stream: Readable;
  sizeBytes: number;
}

/**
 * Storage of raw mail and attachments, by keys such as `wsp_…/inb_…/raw/msg_…`: segments of `[A-Za-z0-9._-]` that do not start with a dot.
 * A malformed key is a bug of the caller and throws a TypeError.
 */
export interface Files {
  /**
   * Stores a file durably before it resolves, and replaces one with the same key. Rejects with FileTooLarge beyond `bytesMax` (default and
   * maximum: 64 MiB), with FilesFull if there is no room, and with the source's own error. Then nothing is stored, and the rest of the
   * source is read and discarded, so that a sender can still get a response.
   */
  put(key: string, source: Readable | Uint8Array, options?: { bytesMax?: number }): Promise<StoredFile>;
  /** Opens a range or the whole file; null if there is no such file. Rejects with a RangeError if the range starts beyond the end. */
  open(key: string, range?: ByteRange): Promise<OpenedFile | null>;
  /** Returns the whole file, or null if there is no such file. */
  read(key: string): Promise<Buffer | null>;
  /** Removes files. A key without a file is not an error. */
  delete(keys: string[]): Promise<void>;
  /**
   * Removes every file below whole segments such as `wsp_…/inb_…`, however many there are. It calls `meanwhile` before each batch; an error
   * of `meanwhile` ends the removal.
   */
  deletePrefix(prefix: string, meanwhile?: () => Promise<void>): Promise<void>;
  /** Rejects if files cannot be stored right now. Disk storage also removes what an interrupted `put` left. */
  check(): Promise<void>;
  /** Closes connections. No other method may be called afterwards. */
  close(): Promise<void>;
}

/** Thrown if a file has more bytes than the caller allows; nothing of it was stored. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
  readonly bytesMax: number;

  constructor(bytesMax: number) {
    super(`The file is larger than ${bytesMax} bytes.`);
    this.bytesMax = bytesMax;
  }
}

/** Thrown if there is no room for another file. The operator must free some space, and the sender can try again later. */
export class FilesFull extends Error {
  override readonly name = 'FilesFull';

  constructor(cause: unknown) {
    super('There is no space left for files.', { cause });
  }
}

/** Returns whether an error of the operating system has one of these codes, such as `ENOENT`. */
export function isFileError(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

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
