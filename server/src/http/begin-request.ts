import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { errors, eventStream, pathPrefix } from '@postrider/contract';
import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { Context } from '../context.ts';
import type { Deps } from '../deps.ts';
import { invalidField } from '../lib/api-error.ts';
import { findCallingKey, type RequestLog } from '../request-log/open-request-log.ts';
import type { BodyDrain } from './bodies/body-drain.ts';
import { routesAt } from './route-table.ts';

/** A step that a request passes. It returns once the request can continue, and throws the error that becomes the response. */
export type Step = (req: Request, res: Response) => void | Promise<void>;

/** Returns a handler that runs steps in this order. Express needs more time for a handler than most of them do. */
export function inOrder(...steps: Step[]): RequestHandler {
  const goOn = (req: Request, res: Response, next: () => void, from: number): void | Promise<void> => {
    for (let at = from; at < steps.length; at++) {
      const pending = steps[at]?.(req, res);
      if (pending) return pending.then(() => goOn(req, res, next, at + 1));
    }
    next();
  };
  return (req, res, next) => goOn(req, res, next, 0);
}

/** Returns a unique id. It is derived from a UUID, because Node keeps random bytes ready for those. */
export function newRequestId(): string {
  const random = Buffer.from(randomUUID().replaceAll('-', '').slice(-18), 'hex');
  return `req_${random.toString('base64url').replace(/[-_]/g, '0')}`;
}

/** Gives every request an id, in `x-request-id` and in the body of an error. */
export const giveRequestId: Step = (_req, res) => {
  const id = newRequestId();
  res.locals.requestId = id;
  res.setHeader('x-request-id', id);
};

/** Returns the id of the request of this response. */
export function readRequestId(res: Response): string {
  return res.locals.requestId as string;
}

/** The files that pages load. A page has dozens of them, and nobody looks for them in a log. */
const pageFiles = /^\/(console|docs)\/assets\//i;

/**
 * Writes one log line and one observation for each request. They have the route instead of the path, because links have secret ids and
 * queries have addresses. The files of pages have a line only at the level `debug`, unless they failed. A request to the API by a key is
 * also noted for its workspace, with the path and without the query.
 */
export function logRequests(deps: Deps, requests: RequestLog): Step {
  return (req, res) => {
    const start = performance.now();
    res.on('close', () => {
      const durationMs = performance.now() - start;
      const route = loggedRoute(req) ?? 'unknown';
      deps.metrics.httpRequests.observe(
        { method: req.method, route, status: res.statusCode },
        durationMs / 1_000,
      );
      const isQuiet = res.statusCode < errors.invalid_request.status && pageFiles.test(req.originalUrl);
      deps.log[isQuiet ? 'debug' : 'info'](
        {
          requestId: readRequestId(res),
          method: req.method,
          route,
          status: res.statusCode,
          durationMs: Math.round(durationMs),
          aborted: res.writableFinished ? undefined : true,
          error: res.locals.error,
        },
        'request',
      );
      noteRequest(deps, requests, req, res, durationMs);
    });
  };
}

function noteRequest(
  { clock }: Deps,
  requests: RequestLog,
  req: Request,
  res: Response,
  durationMs: number,
): void {
  const caller = findCallingKey(res.locals.context as Context | undefined);
  const [path = ''] = req.originalUrl.split('?', 1);
  // Express takes paths in upper or lower case.
  if (!caller || !path.toLowerCase().startsWith(`${pathPrefix}/`)) return;
  requests.add({
    workspace_id: caller.workspaceId,
    at: new Date(clock.now().getTime() - durationMs),
    id: readRequestId(res),
    key_id: caller.keyId,
    method: req.method,
    path,
    status: loggedStatus(res),
    error: (res.locals.error as string | undefined) ?? null,
    duration_ms: Math.round(durationMs),
  });
}

/**
 * Returns the status of a response; 499 if the client left before it had all of it, and 101 for a socket that was open. A stream of events
 * usually ends when its client leaves.
 */
function loggedStatus(res: Response): number {
  if (res.writableFinished || res.getHeader('content-type') === eventStream.contentType)
    return res.statusCode;
  return res.locals.upgradeHead === undefined ? 499 : 101;
}

/** Returns the route of a request, which has names in place of ids and addresses; null if there is none. */
export function loggedRoute(req: Request): string | null {
  const { route } = req as { route?: { path?: unknown } };
  if (typeof route?.path === 'string') return route.path;
  // The request was refused before its route, for example without a key.
  return routesAt(req.originalUrl.split('?')[0] ?? '')[0]?.path ?? null;
}

/** Sets the headers of helmet. They are the same for all responses, so it is asked for them once. */
export function setSecurityHeaders(): Step {
  const headers: [string, string][] = [];
  const setHeader = (name: string, value: string) => headers.push([name, value]);
  helmet()({} as never, { setHeader, removeHeader: () => {} } as never, () => {});
  return (_req, res) => {
    for (const [name, value] of headers) res.setHeader(name, value);
  };
}

/** Refuses a request without a Host or with two (RFC 9112, section 3.2). Node would refuse it without a body, or not at all. */
export const requireHost: Step = (req) => {
  if (req.httpVersion === '1.1' && req.headers.host === undefined)
    throw invalidField('', 'has no Host header');
  if (countHosts(req.rawHeaders) > 1) throw invalidField('', 'has more than one Host header');
};

/** Counts the Host headers. Names and values alternate in raw headers. */
function countHosts(rawHeaders: string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Returns the size of the body that a request declares: 0 without a body, null if its end is not known in advance. */
export function readDeclaredBytes({ headers }: IncomingMessage): number | null {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;
}

/** A smaller body arrives in one read. */
const smallBytes = 65_536;

/** Drains bodies that were not read before the response to their requests. */
export function drainUnread({ drain }: { drain: BodyDrain }): Step {
  return (req, res) => {
    const bytes = readDeclaredBytes(req);
    if (bytes === null || bytes > smallBytes) res.once('prefinish', () => drain.drain(req));
  };
}
