import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RequestHandler } from 'express';
import { invalidField } from '../../lib/api-error.ts';
import { newRequestId } from '../request-id.ts';

/** How long a client may take to read the reason for the refusal. */
const lingerMs = 1_000;

/** Responds with the body of an error to anything that is not HTTP or has too large a header. Express never sees such requests. */
export function answerBrokenRequests(server: Server): void {
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1). Node would respond to it without a body.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // A client that is gone, or whose response has begun, cannot be told.
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const requestId = newRequestId();
    const body = JSON.stringify(invalidField('', problemOf(error.code)).body(requestId));
    const head = [
      'HTTP/1.1 400 Bad Request',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    // A client that reads has got the response by then. One that never closes would keep its descriptor.
    setTimeout(() => socket.destroy(), lingerMs).unref();
  });
}

/** Refuses a request without a Host or with two (RFC 9112, section 3.2). Node would refuse it without a body, or not at all. */
export const requireHost: RequestHandler = (req, _res, next) => {
  if (req.httpVersion === '1.1' && req.headers.host === undefined)
    throw invalidField('', 'has no Host header');
  if (countHosts(req.rawHeaders) > 1) throw invalidField('', 'has more than one Host header');
  next();
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

function problemOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'has a larger header than is read';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'did not arrive in time' : 'is not HTTP';
}
