import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { createTokenBuckets } from '../lib/admission/rate.ts';
import { consoleRates, strangerSlots } from '../lib/admission/server-limits.ts';
import { Slots } from '../lib/admission/slots.ts';
import { tooManyRequests } from '../lib/api-error.ts';
import { clientOf } from '../lib/ip-address.ts';
import type { PersonContext } from '../people/person-context.ts';

/** Limits how many requests people make. */
export function limitPeople(deps: Pick<Deps, 'config'>): RequestHandler {
  if (!deps.config.rateLimits) return (_req, _res, next) => next();
  const buckets = createTokenBuckets(() => performance.now());
  return (req, res, next) => {
    const person = res.locals.person as PersonContext | undefined;
    const { waitMs } = person
      ? buckets.take(person.sessionId, consoleRates.session)
      : buckets.take(clientOf(req.ip ?? ''), consoleRates.stranger);
    if (waitMs > 0) throw tooManyRequests(waitMs);
    next();
  };
}

/**
 * Has the requests of clients without a session take turns, client by client. Their bodies are there, so that nobody holds a turn by
 * being slow.
 */
export function takeTurns(): RequestHandler {
  const slots = new Slots(strangerSlots, { refusal: () => tooManyRequests(strangerSlots.waitMs) });
  return async (req, res, next) => {
    if (res.locals.person) return next();
    await slots.run(clientOf(req.ip ?? ''), async () => {
      if (res.closed) return;
      const isOver = new Promise((resolve) => res.once('close', resolve).once('finish', resolve));
      next();
      await isOver;
    });
  };
}
