import type { Socket } from 'node:net';

/** The head of a record of TLS, and the longest record (RFC 8446, section 5.1). */
const headBytes = 5;
const recordBytesMax = 16_384 + 256;
const handshakeType = 22;

/**
 * Returns the first record that a client sends, with its head, and leaves it to be read again. Returns less for a client that does not
 * speak TLS, and null for one that has disconnected.
 */
export function peekHello(socket: Socket): Promise<Buffer | null> {
  const { promise, resolve } = Promise.withResolvers<Buffer | null>();
  let read = Buffer.alloc(0);
  const end = (hello: Buffer | null) => {
    socket.off('readable', onReadable).off('end', onEnd).off('close', onClose);
    if (hello && !socket.destroyed) socket.unshift(hello);
    resolve(hello);
  };
  const onReadable = () => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    read = Buffer.concat([read, chunk]);
    if (isComplete(read)) end(read);
  };
  const onClose = () => end(null);
  // A client that ends its side has nothing more to send.
  const onEnd = () => socket.destroy();
  socket.on('readable', onReadable).on('end', onEnd).on('close', onClose);
  return promise;
}

function isComplete(read: Buffer): boolean {
  if (read.length < headBytes) return false;
  if (read[0] !== handshakeType) return true;
  return read.length >= headBytes + Math.min(read.readUInt16BE(3), recordBytesMax);
}

/** Returns whether a client offers a protocol by ALPN, whose names have their length before them. */
export function offersProtocol(hello: Buffer, protocol: string): boolean {
  return hello.includes(Buffer.from([protocol.length, ...Buffer.from(protocol)]));
}
