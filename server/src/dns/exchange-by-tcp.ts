import { connect } from 'node:net';
import { NoReply } from './dns-message.ts';

/** Where a server listens. */
export interface Endpoint {
  /** An IP address, or for TCP also a host. */
  address: string;
  port: number;
}

/**
 * Sends a message by TCP and returns the first message that comes back, without its length (RFC 1035, section 4.2.2).
 *
 * @throws NoReply if no reply arrives before `signal` aborts.
 */
export function exchangeByTcp(
  { address, port }: Endpoint,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<Buffer> {
  const socket = connect({ host: address, port });
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  let received = Buffer.alloc(0);
  socket.on('error', (error) => reject(unreachable(error)));
  socket.on('close', () => reject(new NoReply('closed the connection')));
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    const end = received.length < 2 ? Number.POSITIVE_INFINITY : 2 + received.readUInt16BE(0);
    if (received.length >= end) resolve(received.subarray(2, end));
  });
  signal.addEventListener('abort', () => reject(new NoReply('did not reply by TCP')), { once: true });
  socket.write(Buffer.concat([length, bytes]));
  return promise.finally(() => socket.destroy());
}

/** Returns the failure of a socket in words that follow the name of a server. */
export function unreachable(error: Error): NoReply {
  const { code = error.message } = error as NodeJS.ErrnoException;
  return new NoReply(`could not be reached (${code})`);
}
