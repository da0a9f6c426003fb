import { randomBytes } from 'node:crypto';

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
