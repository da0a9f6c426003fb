import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { requestIdOf } from './request-id.ts';
import { routesAt } from './route-table.ts';

/**
 * Writes one log line and one observation for each request. They have the route instead of the path, because links have secret ids and
 * queries have addresses.
 */
export function logRequests(deps: Deps): RequestHandler {
  return (req, res, next) => {
    const start = performance.now();
    res.once('close', () => {
      const durationMs = performance.now() - start;
      const route = routeOf(req);
      deps.metrics.httpRequests.observe(
        { method: req.method, route, status: res.statusCode },
        durationMs / 1_000,
      );
      deps.log.info(
        {
          requestId: requestIdOf(res),
          method: req.method,
          route,
          status: res.statusCode,
          durationMs: Math.round(durationMs),
          ...(res.writableFinished ? {} : { aborted: true }),
          ...(res.locals.error ? { error: res.locals.error } : {}),
        },
        'request',
      );
    });
    next();
  };
}

function routeOf(req: Parameters<RequestHandler>[0]): string {
  const { route } = req as { route?: { path?: unknown } };
  if (typeof route?.path === 'string') return route.path;
  // The request was refused before its route, for example without a key.
  return routesAt(req.originalUrl.split('?')[0] ?? '')[0]?.path ?? 'unknown';
}
