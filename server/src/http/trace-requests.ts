import { errors } from '@postrider/contract';
import type { Request, RequestHandler, Response } from 'express';
import type { Context } from '../context.ts';
import type { Deps } from '../deps.ts';
import { type OpenSpan, ownAttributes } from '../lib/tracing.ts';
import { loggedRoute, readRequestId } from './begin-request.ts';

/** Asked every few seconds by machines, so that their spans would hide the others. */
const probes = new Set(['/livez', '/readyz', '/metrics']);

/**
 * Makes a span of each request, apart from probes. It belongs to the trace of its `traceparent`, if it has one. As in the log, it has the
 * route instead of the path.
 */
export function traceRequests({ tracing }: Deps): RequestHandler {
  return (req, res, next) => {
    if (probes.has(req.path)) return next();
    const parent = [req.headers.traceparent].flat()[0] ?? null;
    const attributes = { 'http.request.method': req.method, 'url.scheme': req.protocol };
    void tracing.trace(req.method, { kind: 'server', parent, attributes }, (span) => {
      tracing.bind(req);
      tracing.bind(res);
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      res.once('close', () => {
        describe(span, req, res);
        resolve();
      });
      next();
      return closed;
    });
  };
}

function describe(span: OpenSpan, req: Request, res: Response): void {
  const route = loggedRoute(req);
  if (route !== null) span.rename(`${req.method} ${route}`);
  const caller = res.locals.context as Context | undefined;
  span.add({
    'http.route': route,
    'http.response.status_code': res.statusCode,
    [ownAttributes.request]: readRequestId(res),
    [ownAttributes.workspace]: caller?.workspaceId ?? null,
  });
  const { statusCode, locals } = res;
  if (statusCode >= errors.internal_error.status)
    span.fail((locals.error as string | undefined) ?? String(statusCode));
}
