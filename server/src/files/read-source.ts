import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { FileTooLarge, type StoredFile } from './files.ts';

const fileBytesMax = 64 * 1024 * 1024;

/**
 * Passes every chunk of a source to `write` and returns the size and SHA-256 of the source. Throws FileTooLarge before the chunk that would
 * exceed `bytesMax`. If it fails, the rest of a stream is read and discarded.
 */
export async function readSource(
  source: Readable | Uint8Array,
  bytesMax: number | undefined,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<StoredFile> {
  const limit = Math.min(bytesMax ?? fileBytesMax, fileBytesMax);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  expectErrors(source);
  try {
    for await (const chunk of chunksOf(source)) {
      sizeBytes += chunk.length;
      if (sizeBytes > limit) throw new FileTooLarge(limit);
      hash.update(chunk);
      await write(chunk);
    }
  } catch (error) {
    discard(source);
    throw error;
  }
  return { sizeBytes, sha256: hash.digest() };
}

async function* chunksOf(source: Readable | Uint8Array): AsyncGenerator<Uint8Array> {
  if (source instanceof Uint8Array) {
    yield source;
    return;
  }
  // The rest of a refused sender's data still has to be read, so a failure here does not destroy the source.
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  }
}

/**
 * Prevents an error of a stream that nobody reads yet from ending the process. (A sender may hang up while its file is being created.)
 * `readSource` still throws the error.
 */
export function expectErrors(source: Readable | Uint8Array): void {
  if (!(source instanceof Uint8Array)) source.on('error', () => {});
}

/** Reads the rest of a source and discards it. */
export function discard(source: Readable | Uint8Array): void {
  if (!(source instanceof Uint8Array || source.destroyed)) source.resume();
}
