/*
 * Limits the bytes of responses to strangers, which are clients without a key or session. The system takes a response of a megabyte at
 * once, whether or not its client reads it, so each byte counts when it is sent.
 */

import type { Request, RequestHandler } from 'express';
import { strangerBytes } from '../lib/admission/server-limits.ts';
import { createTokenBuckets } from '../lib/admission/token-buckets.ts';
import { clientOf } from '../lib/client-address.ts';
import { tooManyRequests } from '../lib/rate-limited.ts';
import { answerBytesOf } from './answer-bytes.ts';

/** Responds with 429 to strangers who were sent too much, unless `isSignedIn` knows the person of a request. */
export function limitStrangers(isSignedIn: (req: Request) => Promise<boolean>): RequestHandler {
  const buckets = createTokenBuckets(() => performance.now());
  return async (req, res, next) => {
    const counted = [
      [`client ${clientOf(req.ip ?? '')}`, strangerBytes.client],
      ['all', strangerBytes.all],
    ] as const;
    const waitMs = Math.max(...counted.map(([key, rate]) => buckets.look(key, rate).waitMs));
    if (waitMs > 0 && !(await isSignedIn(req))) throw tooManyRequests(waitMs);
    res.once('prefinish', () => {
      const bytes = answerBytesOf(res);
      for (const [key, rate] of counted) buckets.spend(key, rate, bytes);
    });
    next();
  };
}
