/* Files that were built, such as pages and their scripts, sent from memory in the best encoding that a client takes. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Request, Response } from 'express';

const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

/** A built file, in one encoding. */
interface Built {
  bytes: Buffer;
  etag: string;
}

/** Returns the file at a path; null if it was not built. */
export type ReadBuilt = (path: string) => Built | null;

/**
 * Returns a reader that caches what it has read, at most all built files: a few megabytes for the console, and about 20 for the
 * documentation. It reads within the turn of the request, so that no other request passes the limit of bytes while the first one waits for
 * the disk.
 */
export function createReader(read: (path: string) => Buffer | null = readBuilt): ReadBuilt {
  const known = new Map<string, Built>();
  return (path) => {
    const kept = known.get(path);
    if (kept) return kept;
    const bytes = read(path);
    if (bytes === null) return null;
    const built = { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
    known.set(path, built);
    return built;
  };
}

/** Reads a file; null if there is none. */
export function readBuilt(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return null;
    throw error;
  }
}

/** Sends a file in the best encoding that the client accepts and that was built. Returns false if there is no such file. */
export function sendBuilt(req: Request<object>, res: Response, path: string, read: ReadBuilt): boolean {
  for (const { name, suffix } of encodings) {
    if (!req.acceptsEncodings(name)) continue;
    const packed = read(path + suffix);
    if (packed === null) continue;
    res.set('content-encoding', name);
    send(res, path, packed);
    return true;
  }
  const plain = read(path);
  if (plain !== null) send(res, path, plain);
  return plain !== null;
}

/** Express responds with 304 to a client that has the file already. */
function send(res: Response, path: string, { bytes, etag }: Built): void {
  res.vary('Accept-Encoding').set('etag', etag).type(extname(path)).send(bytes);
}
