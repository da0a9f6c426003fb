import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { brand, pathPrefix, realtimePath } from '@postrider/contract';
import { consoleApiPath } from '@postrider/contract/console';
import type { Express } from 'express';
import { invalidField } from '../../lib/api-error.ts';
import { newRequestId } from '../begin-request.ts';
import { pathPattern } from '../route-table.ts';

const realtimePatterns = ['', consoleApiPath].map((base) => pathPattern(base + pathPrefix + realtimePath));
const keyMark = brand.realtime.bearerPrefix;

/** Returns whether a request asks for a WebSocket at a path that has one. Other upgrades, such as to HTTP/2, may be ignored. */
export function isForSocket({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    realtimePatterns.some((pattern) => pattern.test(url?.split('?')[0] ?? ''))
  );
}

/** Makes the app handle requests for an upgrade like any other, until one of its handlers takes the connection over. */
export function acceptUpgrades(server: Server, app: Express): void {
  server.on('upgrade', (req, socket: Duplex, head: Buffer) => {
    // Node no longer listens for errors, and the client may leave at any moment.
    socket.on('error', () => socket.destroy());
    const { authorization = readBearer(req.headers['sec-websocket-protocol']) } = req.headers;
    if (authorization !== undefined) req.headers.authorization = authorization;
    const res = new ServerResponse(req);
    res.shouldKeepAlive = false;
    res.once('finish', () => req.socket.destroySoon());
    try {
      res.assignSocket(req.socket);
    } catch {
      // A request before this one is still being handled, so its client does not wait for responses.
      return void socket.destroy();
    }
    app(req, Object.assign(res, { locals: { upgradeHead: head } }) as never);
  });
}

/** Returns the key that a client named as a subprotocol, because browsers cannot set a header. */
export function readBearer(protocols: string | undefined): string | undefined {
  const named = protocols?.split(',').map((name) => name.trim());
  const key = named?.find((name) => name.startsWith(keyMark))?.slice(keyMark.length);
  return key === undefined ? undefined : `Bearer ${key}`;
}

/** The time for which a client can read the reason for the refusal. */
const lingerMs = 1_000;

/** Responds with the body of an error to anything that is not HTTP or has too large a header. Express never sees such requests. */
export function answerBrokenRequests(server: Server): void {
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1). Node would respond to it without a body.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // A client that has disconnected, or whose response has begun, cannot be told.
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const requestId = newRequestId();
    const body = JSON.stringify(invalidField('', describeProblem(error.code)).body(requestId));
    const head = [
      'HTTP/1.1 400 Bad Request',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    // A client that reads has the response by then. One that never closes would occupy its descriptor.
    setTimeout(() => socket.destroy(), lingerMs).unref();
  });
}

function describeProblem(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'has a header that is too large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'did not arrive in time' : 'is not HTTP';
}
