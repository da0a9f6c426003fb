import type { RequestHandler, Response } from 'express';
import { takeRandom } from '../lib/crypto/random-bytes.ts';

/** Returns an id that no other request has. */
export function newRequestId(): string {
  return `req_${takeRandom(9).toString('base64url').replace(/[-_]/g, '0')}`;
}

/** Gives every request an id, in `x-request-id` and in the body of an error. */
export const giveRequestId: RequestHandler = (_req, res, next) => {
  res.locals.requestId = newRequestId();
  res.setHeader('x-request-id', requestIdOf(res));
  next();
};

/** Returns the id of the request of this response. */
export function requestIdOf(res: Response): string {
  return res.locals.requestId as string;
}
