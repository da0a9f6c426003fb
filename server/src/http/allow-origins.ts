import { contract, listRoutes } from '@postrider/contract';
import type { RequestHandler } from 'express';

const methods = [...new Set(listRoutes(contract).map(({ route }) => route.method))].join(', ');
const exposedHeaders = [
  'x-request-id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Allow',
].join(', ');
const usualHeaders = 'authorization, content-type';
const preflightKnownForS = 600;

/**
 * Lets pages of these origins read responses (CORS, as in the Fetch standard) and responds to their preflights. The API uses no cookies, so
 * credentials are not allowed: a page still needs an API key.
 */
export function allowOrigins(origins: string[]): RequestHandler {
  const allowed = new Set(origins);
  return (req, res, next) => {
    res.vary('Origin');
    const { origin } = req.headers;
    if (origin === undefined || !allowed.has(origin)) return next();
    res.set('access-control-allow-origin', origin);
    res.set('access-control-expose-headers', exposedHeaders);
    const isPreflight =
      req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
    if (!isPreflight) return next();
    res.set('access-control-allow-methods', methods);
    res.set('access-control-allow-headers', req.get('access-control-request-headers') ?? usualHeaders);
    res.set('access-control-max-age', String(preflightKnownForS));
    res.status(204).end();
  };
}
