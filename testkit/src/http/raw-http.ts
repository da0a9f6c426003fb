import { EventEmitter } from 'node:events';
import { connect } from 'node:net';

/** A response as it came over the wire. Its status is null if the connection was closed without one. */
export interface RawAnswer {
  status: number | null;
  headers: string;
  body: string;
}

/** A server that has answered and sends nothing for this time has sent everything. */
const quietMs = 200;
const waitMs = 300_000;

/**
 * Sends bytes to an HTTP server as they are. Reads until it closes the connection, or is quiet and then closes after this side does.
 * `silentMs` is for bytes that may be no whole request: a server that has sent nothing by then waits for more. Rejects if the server does
 * not close the connection.
 */
export function sayHttp(url: string, bytes: string | Uint8Array, silentMs = 120_000): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No end in ${waitMs} ms; so far: ${Buffer.concat(chunks).toString('latin1')}`));
    }, waitMs);
    let quiet = setTimeout(() => socket.end(), silentMs);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      clearTimeout(quiet);
      quiet = setTimeout(() => socket.end(), quietMs);
    });
    // A server that refuses a body may close before all of it was sent.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      clearTimeout(quiet);
      resolve(parseAnswer(Buffer.concat(chunks).toString('utf8')));
    });
    socket.write(bytes);
  });
}

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1];
  return {
    status: status === undefined ? null : Number(status),
    headers: end < 0 ? text : text.slice(0, end),
    body: end < 0 ? '' : text.slice(end + 4),
  };
}

/** A connection that a test writes to and reads from as it likes. */
export interface RawConnection {
  write(bytes: string | Uint8Array): void;
  /** Returns everything that came so far. */
  received(): string;
  /** Resolves once a text has come. Rejects if the connection ends or `waitMs` pass before. */
  until(text: string, waitMs?: number): Promise<void>;
  /** Resolves once the server has ended it. */
  ended: Promise<void>;
  /** Stops reading until `resume`. */
  pause(): void;
  resume(): void;
  destroy(): void;
}

/** Opens a connection that stays half open for as long as this side wants. */
export function openRaw(url: string): Promise<RawConnection> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const parts: Buffer[] = [];
    // The wanted text may come in two parts, and searching everything each time would take long.
    let recent = '';
    const heard = new EventEmitter();
    socket.on('data', (part) => {
      parts.push(part);
      recent = recent.slice(-200) + part.toString('latin1');
      heard.emit('part');
    });
    const received = () => Buffer.concat(parts).toString('latin1');
    const ended = new Promise<void>((end) => {
      socket.on('end', end);
      socket.on('close', end);
    });
    const until = (wanted: string, waitMs = 300_000): Promise<void> => {
      if (received().includes(wanted)) return Promise.resolve();
      return new Promise((found, failed) => {
        const giveUp = () => failed(new Error(`No "${wanted}" in ${received().slice(0, 2_000)}`));
        const timer = setTimeout(giveUp, waitMs);
        void ended.then(giveUp);
        heard.on('part', () => {
          if (!recent.includes(wanted)) return;
          clearTimeout(timer);
          found();
        });
      });
    };
    socket.once('error', reject);
    socket.on('error', () => undefined);
    socket.once('connect', () =>
      resolve({
        write: (bytes) => void socket.write(bytes),
        received,
        until,
        ended,
        pause: () => void socket.pause(),
        resume: () => void socket.resume(),
        destroy: () => void socket.destroy(),
      }),
    );
  });
}
