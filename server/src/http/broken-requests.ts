import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { invalidField } from '../lib/api-error.ts';
import { newRequestId } from './request-id.ts';

/** Gives what is no HTTP, or has too large a header, the body of an error: Express never sees it. */
export const answerBrokenRequests = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // A client that is gone, or one whose answer has begun, cannot be told.
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
  });
};

const problemOf = (code: string | undefined): string => {
  if (code === 'HPE_HEADER_OVERFLOW') return 'has a larger header than is read';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'did not arrive in time' : 'is not HTTP';
};
