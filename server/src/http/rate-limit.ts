import { limits } from '@postrider/contract';
import type { RequestHandler } from 'express';
import { contextOf } from '../context.ts';
import type { Deps } from '../deps.ts';
import { createTokenBuckets, type Rate } from '../lib/token-buckets.ts';
import { planLimits } from '../workspaces/plan.ts';
import { answerBytesOf } from './answer-bytes.ts';
import { tooManyRequests, wholeSeconds } from './rate-limited.ts';
import { receivedBytesOf } from './read-body.ts';

/**
 * Lets each workspace make the requests of its plan and answers 429 to the rest, before their bodies are read; says in the
 * headers of every answer what is left. A body or an answer of many bytes counts as several requests: a body before it is read, an
 * answer once it was made. A workspace that has used more than it had makes no request until the difference has come back. Each of
 * the processes that serve the API has its share, and takes itself for typical when it says what is left over all.
 */
export const limitRequests = (deps: Deps, processCount: () => number): RequestHandler => {
  if (!deps.config.rateLimits) return (_req, _res, next) => next();
  const buckets = createTokenBuckets(() => performance.now());
  return (req, res, next) => {
    const ctx = contextOf(res);
    const { requests_per_second, requests_burst } = planLimits(ctx);
    const processes = processCount();
    const share = shareOf(requests_per_second, requests_burst, processes);
    const { tokens, waitMs } = buckets.take(ctx.workspaceId, share);
    res.setHeader('RateLimit-Limit', requests_burst);
    res.setHeader(
      'RateLimit-Remaining',
      Math.max(0, Math.min(requests_burst, Math.floor(tokens) * processes)),
    );
    res.setHeader('RateLimit-Reset', wholeSeconds(((share.burst - tokens) * 60_000) / share.perMinute));
    if (waitMs > 0) throw tooManyRequests(waitMs);
    const spendFor = (bytes: number) => {
      const more = Math.ceil(bytes / limits.bytesPerRequest) - 1;
      if (more > 0) buckets.spend(ctx.workspaceId, share, more);
    };
    const declaredBytes = Number(req.headers['content-length'] ?? 0);
    spendFor(Math.min(declaredBytes, limits.requestWithAttachmentsBytesMax));
    res.once('prefinish', () => {
      if (declaredBytes === 0) spendFor(receivedBytesOf(req));
      spendFor(answerBytesOf(res));
    });
    next();
  };
};

/** However many processes there are, each lets a request through now and then. */
const shareOf = (perSecond: number, burst: number, processes: number): Rate => ({
  perMinute: (perSecond * 60) / processes,
  burst: Math.max(Math.min(1, burst), burst / processes),
});
