import { pathPrefix } from '@postrider/contract';
import type { Request, RequestHandler, Response } from 'express';
import type { Context } from '../context.ts';
import type { Deps } from '../deps.ts';
import type { RequestLog } from '../request-log/open-request-log.ts';
import { keyOf } from '../request-log/record-room.ts';
import { requestIdOf } from './request-id.ts';
import { routesAt } from './route-table.ts';

/**
 * Writes one log line and one observation for each request. They have the route instead of the path, because links have secret ids and
 * queries have addresses. A request to the API by a key is also noted for its workspace, with the path and without the query.
 */
export function logRequests(deps: Deps, requests: RequestLog): RequestHandler {
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
      noteRequest(deps, requests, req, res, durationMs);
    });
    next();
  };
}

function noteRequest(
  { clock }: Deps,
  requests: RequestLog,
  req: Request,
  res: Response,
  durationMs: number,
): void {
  const caller = keyOf(res.locals.context as Context | undefined);
  const [path = ''] = req.originalUrl.split('?', 1);
  // Express takes paths in upper or lower case.
  if (!caller || !path.toLowerCase().startsWith(`${pathPrefix}/`)) return;
  requests.add({
    workspace_id: caller.workspaceId,
    at: new Date(clock.now().getTime() - durationMs),
    id: requestIdOf(res),
    key_id: caller.keyId,
    method: req.method,
    path,
    status: statusOf(res),
    error: (res.locals.error as string | undefined) ?? null,
    duration_ms: Math.round(durationMs),
  });
}

/** Returns the status of a response; 499 if the client left before it had all of it, and 101 for a socket that was open. */
function statusOf(res: Response): number {
  if (res.writableFinished) return res.statusCode;
  return res.locals.upgradeHead === undefined ? 499 : 101;
}

function routeOf(req: Request): string {
  const { route } = req as { route?: { path?: unknown } };
  if (typeof route?.path === 'string') return route.path;
  // The request was refused before its route, for example without a key.
  return routesAt(req.originalUrl.split('?')[0] ?? '')[0]?.path ?? 'unknown';
}
