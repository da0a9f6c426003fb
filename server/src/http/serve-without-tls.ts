/* Requests without TLS on a server with HTTPS: the challenges of ACME servers, and the way to HTTPS. */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { notFound } from '../lib/api-error.ts';
import { findKeyAuthorization } from '../tls/acme/challenges.ts';

const challengePath = '/.well-known/acme-challenge/';

/** The path at which an ACME server looks for the response to a challenge (RFC 8555, section 8.3). */
export const challengeRoute = `${challengePath}:token`;

/** Answers a challenge, whichever process ordered the certificate. */
export function answerChallenge(deps: Deps): RequestHandler<{ token: string }> {
  return async (req, res) => {
    const keyAuthorization = await findKeyAuthorization(deps, req.params.token);
    if (keyAuthorization === null) throw notFound(null);
    res.type('application/octet-stream').send(keyAuthorization);
  };
}

/** The paths that programs on this machine and in front of it ask for without TLS. */
const plainPaths = ['/livez', '/readyz'];

/**
 * Leads requests without TLS to the public URL, apart from those of this process itself. It is the only host that they are led to, whatever
 * they name, so that nobody can be led elsewhere.
 */
export function leadToHttps(publicUrl: string, address: Deps['address']): RequestHandler {
  const { origin } = new URL(publicUrl);
  return (req, res, next) => {
    const { encrypted, localPort } = req.socket as Socket & Partial<TLSSocket>;
    if (encrypted || localPort === address.inside.port) return next();
    if (plainPaths.includes(req.path) || req.path.startsWith(challengePath)) return next();
    const path = req.originalUrl.startsWith('/') ? req.originalUrl : '/';
    res
      .status(308)
      .location(origin + path)
      .end();
  };
}
