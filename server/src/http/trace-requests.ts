import { errors } from '@postrider/contract';
import type { Request, RequestHandler, Response } from 'express';
import type { Context } from '../context.ts';
import type { Deps } from '../deps.ts';
import { type OpenSpan, ownAttributes } from '../lib/tracing.ts';
import { loggedRoute, readRequestId } from './begin-request.ts';

/** Asked every few seconds by machines, so that their spans would hide the others. */
const probes = new Set(['/livez', '/readyz', '/metrics']);

/**
 * Makes a span of each request, apart from probes. As in the log, it has the route instead of the path.
 *
 * It begins a trace that is linked to its `traceparent`, as OpenTelemetry recommends for public endpoints: a caller could otherwise have
 * more traces kept than the operator's sampler keeps. If the operator trusts all callers, it belongs to the trace of its `traceparent`. So
 * does a request that this server makes to itself for a tool, while that for the tool lasts.
 */
export function traceRequests({ tracing, config }: Deps): RequestHandler {
  const underWay = new Set<string | null>();
  return (req, res, next) => {
    if (probes.has(req.path)) return next();
    const received = [req.headers.traceparent].flat()[0] ?? null;
    const isCause = config.traceCallers || underWay.has(received);
    const facts = {
      kind: 'server',
      parent: isCause ? received : null,
      link: isCause ? null : received,
      attributes: { 'http.request.method': req.method, 'url.scheme': req.protocol },
    } as const;
    void tracing.trace(req.method, facts, (span) => {
      tracing.bind(req);
      tracing.bind(res);
      const own = tracing.current();
      underWay.add(own);
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      res.once('close', () => {
        underWay.delete(own);
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
