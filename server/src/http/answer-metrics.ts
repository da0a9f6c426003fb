import { timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import { sha256 } from '../lib/crypto/bytes.ts';
import { isLoopback } from '../lib/ip-address.ts';

/** The headers that proxies add. */
const proxyHeader =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-(?:original|client|cluster-client).*|true-client-ip|cf-.*|fastly-.*)$/;
/** The names of this machine for itself. A proxy that passes on the name of a site has another one. */
const ownHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Returns whether a request comes from this machine itself. A proxy here passes on requests from anywhere, configured or not. */
function isFromHere({ config }: Deps, req: Request): boolean {
  const isBehindProxy = config.publicUrl !== null || config.filesUrl !== null || config.trustProxy !== 'off';
  const isPassedOn =
    Object.keys(req.headers).some((name) => proxyHeader.test(name)) || !ownHost.test(req.headers.host ?? '');
  return !isBehindProxy && !isPassedOn && isLoopback(req.socket.remoteAddress ?? '');
}

const metricsKnownForMs = 1_000;

/** `/metrics`: open with the token, or without a token for this machine only, unless a proxy is in between. */
export function answerMetrics(deps: Deps): RequestHandler {
  let printed: Promise<string> | null = null;
  let printedAtMs = 0;
  // Printing takes a millisecond or more, so a flood of requests shares one result.
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
}

function isBearer(authorization: string | undefined, token: string): boolean {
  return timingSafeEqual(sha256(authorization ?? ''), sha256(`Bearer ${token}`));
}
