import type { Readable } from 'node:stream';
import { clientOf, isLoopback } from '../lib/client-address.ts';
import type { PassPiece } from './mail-pace.ts';

/** Ten mails of the largest size: enough for many senders at once, and little beside what a server has. */
const collectedBytesMax = 268_435_456;
/** What holding a piece of a mail costs beside its bytes, so that a mail in tiny pieces is not free. */
const pieceBytes = 256;

/** Runs `use` with a whole mail of a client; null, without running it, when there is no room for the mail. */
export type CollectMail = <T>(mail: MailOnItsWay, use: (raw: Buffer) => Promise<T>) => Promise<T | null>;

interface MailOnItsWay {
  remoteAddress: string;
  stream: Readable;
  /** Asked before each further piece is read. */
  passPiece?: PassPiece;
}

/**
 * Collects mails in memory, all together at most `bytesMax`, which an unfinished mail takes part of until its client is done
 * or gone, and a finished one until it was used. One client has at most half of it, unless it is on this machine, so that
 * none can take the room of all others. The stream of a mail that finds no room is destroyed.
 */
export const createMailCollector = (bytesMax = collectedBytesMax): CollectMail => {
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
};

/** On its own, so that the pieces are gone once they have become one buffer. */
const collect = async (
  stream: Readable,
  reserve: (bytes: number) => boolean,
  passPiece: PassPiece,
): Promise<Buffer | null> => {
  const pieces: Buffer[] = [];
  for await (const piece of stream as AsyncIterable<Buffer>) {
    if (!reserve(piece.length + pieceBytes)) return null;
    pieces.push(piece);
    const wait = passPiece(piece);
    if (wait) await wait;
  }
  return Buffer.concat(pieces);
};
