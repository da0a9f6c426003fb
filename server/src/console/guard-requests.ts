import { isIP } from 'node:net';
import { consoleHeader } from '@postrider/contract/console';
import type { Request, RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { createTokenBuckets } from '../lib/admission/rate.ts';
import { consoleRates, strangerSlots } from '../lib/admission/server-limits.ts';
import { Slots } from '../lib/admission/slots.ts';
import { ApiError, invalidField, tooManyRequests } from '../lib/api-error.ts';
import { clientOf } from '../lib/ip-address.ts';
import type { Site } from '../people/factors/passkey-ceremony.ts';
import type { PersonContext } from '../people/person-context.ts';

/**
 * Refuses requests that pages of other origins could make with a person's cookie (CSRF). Every request that may change something must come
 * from this origin and carry the header of the console, which no form can set. A request that reads has neither, but must not come from
 * another origin: a socket or a stream would use up a slot of the person. A SameSite=Lax cookie is the first defence.
 */
export function refuseForeign(deps: Pick<Deps, 'address'>): RequestHandler {
  return (req, _res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    const isFromConsole = req.get(consoleHeader) !== undefined && req.headers.origin !== undefined;
    if (isForeign(deps, req) || !(isRead || isFromConsole)) throw new ApiError('csrf_refused');
    next();
  };
}

/**
 * Returns whether a page of another origin makes a request, according to the browser. A browser names no origin if a page reads from its
 * own.
 */
function isForeign({ address }: Pick<Deps, 'address'>, req: Request): boolean {
  const site = req.get('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = req.headers;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  return (
    new URL(origin).host !== req.get('host') && new URL(origin).origin !== new URL(address.publicUrl).origin
  );
}

/**
 * Returns the site of a page of this server, to which its passkeys belong.
 *
 * @throws ApiError `invalid_request` at an IP address, for which browsers have no passkeys.
 */
export function readSite(req: Pick<Request, 'headers'>): Site {
  const { origin, hostname } = new URL(req.headers.origin ?? '');
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw invalidField('origin', 'must have a host name: open the console under its name, or as localhost');
  return { origin, hostname };
}

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
 * Makes the requests of clients without a session take turns, client by client. Their bodies have already arrived, so nobody can hold a
 * turn by being slow.
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
