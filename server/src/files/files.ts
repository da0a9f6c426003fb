import type { Readable } from 'node:stream';

export { FileTooLarge } from './file-errors.ts';

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
  /** Removes every file below whole segments such as `wsp_…/inb_…`, however many there are. */
  deletePrefix(prefix: string): Promise<void>;
  /** Rejects if files cannot be stored now. Disk storage also removes what an interrupted `put` left. */
  check(): Promise<void>;
  /** Closes connections. No other method may be called afterwards. */
  close(): Promise<void>;
}
