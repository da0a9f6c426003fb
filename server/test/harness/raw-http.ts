import { EventEmitter } from 'node:events';
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

/** A connection that is written to and read from as the test likes. */
export interface RawConnection {
  write(bytes: string | Uint8Array): void;
  /** Everything that came so far. */
  received(): string;
  /** Resolves once a text has come, and throws when the connection ends or too much time passes before. */
  until(text: string, waitMs?: number): Promise<void>;
  /** Resolves once the server has ended it. */
  ended: Promise<void>;
  /** Reads no more until `resume`. */
  pause(): void;
  resume(): void;
  destroy(): void;
}

/** Opens a connection that stays half open as long as this side likes. */
export const openRaw = (url: string): Promise<RawConnection> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const parts: Buffer[] = [];
    // What is waited for may come in two parts; to search all that came again and again takes long.
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
    const until = (wanted: string, waitMs = 20_000): Promise<void> => {
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
