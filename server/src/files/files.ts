import type { Readable } from 'node:stream';
import { createDiskFiles } from './disk-files.ts';
import { createS3Files } from './s3-files.ts';

export { FileTooLarge } from './file-errors.ts';

/** The first and the last byte that are wanted, both counted from 0 and both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** What is known of a file once it is stored. */
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
 * Where raw mail and attachments live, by keys such as `wsp_…/inb_…/raw/msg_…`: segments of `[A-Za-z0-9._-]` that do not
 * start with a dot. A malformed key is a bug of the caller and throws a TypeError.
 */
export interface Files {
  /**
   * Stores a file durably, in place of one that has the key, before it resolves. Rejects with FileTooLarge past
   * `bytesMax` (default and most: 64 MiB), with FilesFull when there is no room, and with the source's own error; nothing
   * is stored then, and what is left of the source is read and thrown away, so that a sender can still be answered.
   */
  put(key: string, source: Readable | Uint8Array, options?: { bytesMax?: number }): Promise<StoredFile>;
  /** Opens a range or everything; null when there is no such file. Rejects with a RangeError for a start behind the end. */
  open(key: string, range?: ByteRange): Promise<OpenedFile | null>;
  /** The whole file, or null when there is no such file. */
  read(key: string): Promise<Buffer | null>;
  /** Removes files; keys without a file are no error. */
  delete(keys: string[]): Promise<void>;
  /** Removes every file below whole segments such as `wsp_…/inb_…`, however many there are. */
  deletePrefix(prefix: string): Promise<void>;
  /** Rejects when files cannot be stored now; the disk also removes what an interrupted `put` left behind. */
  check(): Promise<void>;
  /** Gives back connections; nothing else may be called afterwards. */
  close(): Promise<void>;
}

/** Where files go, as configured. */
export interface FilesSettings {
  /** `file:/absolute/folder` (taken as it is written, without percent escapes) or `s3://bucket/prefix`. */
  location: string;
  /** The URL of an S3-compatible service other than AWS; buckets are then addressed by path. */
  s3Endpoint?: string | null;
}

/** The folder of files that are kept on a disk of this machine; null for another place. */
export const diskFolderOf = (location: string): string | null =>
  /^file:(?:\/\/)?(\/.+)$/s.exec(location)?.[1] ?? null;

/** Opens the configured place without touching it; throws a TypeError when the location is malformed. */
export function createFiles(settings: FilesSettings): Files {
  const { location, s3Endpoint } = settings;
  const disk = diskFolderOf(location);
  if (disk !== null) return createDiskFiles(disk);
  const [, bucket, prefix] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/s.exec(location) ?? [];
  if (bucket !== undefined)
    return createS3Files({ bucket, prefix: prefix ?? '', endpoint: s3Endpoint ?? null });
  throw new TypeError('Files go to file:/absolute/folder or to s3://bucket/prefix.');
}
