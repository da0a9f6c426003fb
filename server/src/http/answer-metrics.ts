import { timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import { isLoopback } from '../lib/client-address.ts';
import { sha256 } from '../lib/sha256.ts';

/** What proxies add to a request. */
const proxyHeader =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-(?:original|client|cluster-client).*|true-client-ip|cf-.*|fastly-.*)$/;
/** The names of this machine on itself; a proxy that passes the name of a site on has another one. */
const ownHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** A proxy on this machine passes on what comes from anywhere, whether or not it is configured or says so. */
const isFromHere = ({ config }: Deps, req: Request): boolean => {
  const isBehindProxy = config.publicUrl !== null || config.filesUrl !== null || config.trustProxy !== 'off';
  const isPassedOn =
    Object.keys(req.headers).some((name) => proxyHeader.test(name)) || !ownHost.test(req.headers.host ?? '');
  return !isBehindProxy && !isPassedOn && isLoopback(req.socket.remoteAddress ?? '');
};

const metricsKnownForMs = 1_000;

/** `/metrics`, for who has the token or, without one and without a proxy, for this machine only. */
export const answerMetrics = (deps: Deps): RequestHandler => {
  let printed: Promise<string> | null = null;
  let printedAtMs = 0;
  // Printing takes a millisecond and more; nobody needs it anew for each of a flood of requests.
  const print = (): Promise<string> => {
    if (printed && performance.now() - printedAtMs < metricsKnownForMs) return printed;
    printedAtMs = performance.now();
    printed = deps.metrics.registry.metrics();
    return printed;
  };
  return async (req, res) => {
    const token = deps.config.metricsToken;
    if (token === null ? !isFromHere(deps, req) : !isBearer(req.headers.authorization, token))
      throw new ApiError('invalid_token');
    res.type(deps.metrics.registry.contentType).send(await print());
  };
};

const isBearer = (authorization: string | undefined, token: string): boolean =>
  timingSafeEqual(sha256(authorization ?? ''), sha256(`Bearer ${token}`));
