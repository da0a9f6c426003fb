import { randomBytes } from 'node:crypto';

const blockBytes = 4_096;
let block = Buffer.alloc(0);
let offset = 0;

/**
 * Uniform random bytes for ids, to be read before the next call. They are bought in blocks, since one system call for each id
 * costs more than the id; secrets are not made of them, because a block stays in memory.
 */
export const takeRandom = (length: number): Buffer => {
  if (offset + length > block.length) {
    block = randomBytes(blockBytes);
    offset = 0;
  }
  offset += length;
  return block.subarray(offset - length, offset);
};
