import { connect } from 'node:net';

/** An answer as it came over the wire; null fields when the connection was closed without one. */
export interface RawAnswer {
  status: number | null;
  headers: string;
  body: string;
}

/**
 * Says bytes to an HTTP server as they are and reads until it closes the connection, which the bytes should ask it to do. Throws
 * when it has not after `waitMs`.
 */
export const sayHttp = (url: string, bytes: string | Uint8Array, waitMs = 10_000): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No answer in ${waitMs} ms; so far: ${Buffer.concat(chunks).toString('latin1')}`));
    }, waitMs);
    socket.on('data', (chunk) => chunks.push(chunk));
    // A server that refuses a body may close before all of it was said.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(parseAnswer(Buffer.concat(chunks).toString('utf8')));
    });
    socket.write(bytes);
  });

const parseAnswer = (text: string): RawAnswer => {
  const end = text.indexOf('\r\n\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1];
  return {
    status: status === undefined ? null : Number(status),
    headers: end < 0 ? text : text.slice(0, end),
    body: end < 0 ? '' : text.slice(end + 4),
  };
};
