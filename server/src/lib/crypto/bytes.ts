import { hash, randomBytes } from 'node:crypto';

/** Returns the SHA-256 of bytes, or of a text as UTF-8: 32 bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}

/** Returns bytes in hexadecimal, in lower case. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

const blockBytes = 4_096;
let block = Buffer.alloc(0);
let offset = 0;

/**
 * Returns uniform random bytes for ids. They are generated in blocks, because one system call for each id
 * costs more than the id. They are not for secrets, because a block stays in memory.
 */
export function takeRandom(length: number): Buffer {
  if (offset + length > block.length) {
    block = randomBytes(blockBytes);
    offset = 0;
  }
  offset += length;
  return block.subarray(offset - length, offset);
}
