import { hash } from 'node:crypto';

/** Returns the SHA-256 of bytes, or of a text as UTF-8: 32 bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}
