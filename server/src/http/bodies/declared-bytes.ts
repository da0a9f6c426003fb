import type { IncomingMessage } from 'node:http';

/** The size of the body that a request declares; 0 without a body, null where its end is not known before it comes. */
export const declaredBytesOf = ({ headers }: IncomingMessage): number | null =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;
