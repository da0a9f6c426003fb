import { constants, deflateRawSync } from 'node:zlib';

/** Returns compressed bytes (RFC 1951) that unpack to many copies of a text, without ever making these. */
export function deflatedBomb(text: string, copies: number): Buffer {
  const part = deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([Buffer.alloc(part.length * copies, part), deflateRawSync('')]);
}
