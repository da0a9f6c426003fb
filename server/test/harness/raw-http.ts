import { connect } from 'node:net';

/** An answer as it came over the wire; null fields when the connection was closed without one. */
export interface RawAnswer {
  status: number | null;
  headers: string;
  body: string;
}

/** A server that says nothing for so long waits for more, or has said all. */
const quietMs = { first: 3_000, after: 200 };

/**
 * Says bytes to an HTTP server as they are and reads what it says until it closes the connection, or is quiet and then closes as
 * this side does. Throws when it has not after `waitMs`.
 */
export const sayHttp = (url: string, bytes: string | Uint8Array, waitMs = 15_000): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No end in ${waitMs} ms; so far: ${Buffer.concat(chunks).toString('latin1')}`));
    }, waitMs);
    let quiet = setTimeout(() => socket.end(), quietMs.first);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      clearTimeout(quiet);
      quiet = setTimeout(() => socket.end(), quietMs.after);
    });
    // A server that refuses a body may close before all of it was said.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      clearTimeout(quiet);
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
