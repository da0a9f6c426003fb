import type { IncomingMessage } from 'node:http';

/** Returns the size of the body that a request declares: 0 without a body, null if its end is not known in advance. */
export function declaredBytesOf({ headers }: IncomingMessage): number | null {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;
}
