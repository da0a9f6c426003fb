/*
 * Limits the bytes of responses to strangers, which are clients without a key or session. The system takes a response of a megabyte at
 * once, whether or not its client reads it, so each byte counts when it is sent.
 */
import type { Request, RequestHandler } from 'express';
import { clientOf } from '../lib/client-address.ts';
import { tooManyRequests } from '../lib/rate-limited.ts';
import { createTokenBuckets } from '../lib/token-buckets.ts';
import { answerBytesOf } from './answer-bytes.ts';

const megabyte = 1_048_576;

/** The bytes that one client gets, and all clients together. The pages of the console take a megabyte the first time. */
export const strangerBytes = {
  client: { perMinute: 128 * megabyte, burst: 32 * megabyte },
  all: { perMinute: 512 * megabyte, burst: 128 * megabyte },
};

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
