import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { FileTooLarge } from './file-errors.ts';
import type { StoredFile } from './files.ts';

const fileBytesMax = 64 * 1024 * 1024;

/**
 * Hands every chunk of a source to `write` and gives its size and SHA-256; throws FileTooLarge before the chunk that
 * would go past `bytesMax`. When it fails, the rest of a stream is read and thrown away.
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
  // A sender that is refused still has to be heard out, so the source outlives a failure here.
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  }
}

/**
 * Keeps the error of a stream that nobody reads yet (a sender may hang up while its file is being made) from ending the
 * process; `readSource` still throws it.
 */
export function expectErrors(source: Readable | Uint8Array): void {
  if (!(source instanceof Uint8Array)) source.on('error', () => {});
}

/** Reads what is left of a source without keeping it. */
export function discard(source: Readable | Uint8Array): void {
  if (!(source instanceof Uint8Array || source.destroyed)) source.resume();
}
