import { createDiskFiles } from './disk-files.ts';
import type { Files } from './files.ts';
import { createS3Files } from './s3-files.ts';

/** The configured location of files. */
export interface FilesSettings {
  /** `file:/absolute/folder` (used literally, without percent escapes) or `s3://bucket/prefix`. */
  location: string;
  /** The URL of an S3-compatible service other than AWS; buckets are then addressed by path. */
  s3Endpoint?: string | null;
}

/** Returns the folder of files that are kept on a disk of this machine, or null for another location. */
export function readDiskFolder(location: string): string | null {
  return /^file:(?:\/\/)?(\/.+)$/s.exec(location)?.[1] ?? null;
}

/** Creates storage at the configured location without accessing it. Throws a TypeError if the location is malformed. */
export function createFiles(settings: FilesSettings): Files {
  const { location, s3Endpoint } = settings;
  const disk = readDiskFolder(location);
  if (disk !== null) return createDiskFiles(disk);
  const [, bucket, prefix] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/s.exec(location) ?? [];
  if (bucket !== undefined)
    return createS3Files({ bucket, prefix: prefix ?? '', endpoint: s3Endpoint ?? null });
  throw new TypeError('Files go to file:/absolute/folder or to s3://bucket/prefix.');
}
