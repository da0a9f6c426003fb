import type { Readable } from 'node:stream';
import { clientOf, isLoopback } from '../lib/client-address.ts';
import type { PassPiece } from './mail-pace.ts';

/** Ten mails of the largest size: enough for many senders at once, and little of a server's memory. */
const collectedBytesMax = 268_435_456;
/** The memory that a piece takes in addition to its bytes, so that a mail in tiny pieces is not free. */
const pieceBytes = 256;

/** Runs `use` with the whole mail of a client. Returns null without running it if there is no room for the mail. */
export type CollectMail = <T>(mail: MailOnItsWay, use: (raw: Buffer) => Promise<T>) => Promise<T | null>;

interface MailOnItsWay {
  remoteAddress: string;
  stream: Readable;
  /** Called before each further piece is read. */
  passPiece?: PassPiece;
}

/**
 * Collects mails in memory, at most `bytesMax` in all. A mail takes its part from its first byte until it was used or its client is
 * gone. One client gets at most half of it, so that none can lock out the others, unless it is on this machine. The stream of a mail
 * that finds no room is destroyed.
 */
export function createMessageBuffer(bytesMax = collectedBytesMax): CollectMail {
  let heldBytes = 0;
  const heldByClient = new Map<string, number>();
  const hold = (client: string, bytes: number) => {
    heldBytes += bytes;
    const held = (heldByClient.get(client) ?? 0) + bytes;
    if (held === 0) heldByClient.delete(client);
    else heldByClient.set(client, held);
  };
  return async ({ remoteAddress, stream, passPiece = () => null }, use) => {
    const client = clientOf(remoteAddress);
    const clientBytesMax = isLoopback(remoteAddress) ? bytesMax : bytesMax / 2;
    let ownBytes = 0;
    const reserve = (bytes: number): boolean => {
      const own = (heldByClient.get(client) ?? 0) + bytes;
      if (own > clientBytesMax || heldBytes + bytes > bytesMax) return false;
      hold(client, bytes);
      ownBytes += bytes;
      return true;
    };
    try {
      const raw = await collect(stream, reserve, passPiece);
      return raw && (await use(raw));
    } finally {
      hold(client, -ownBytes);
    }
  };
}

/** A function of its own, so that the pieces can be freed once they are one buffer. */
async function collect(
  stream: Readable,
  reserve: (bytes: number) => boolean,
  passPiece: PassPiece,
): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  for await (const piece of stream as AsyncIterable<Buffer>) {
    if (!reserve(piece.length + pieceBytes)) return null;
    pieces.push(piece);
    const wait = passPiece(piece);
    if (wait) await wait;
  }
  return Buffer.concat(pieces);
}
