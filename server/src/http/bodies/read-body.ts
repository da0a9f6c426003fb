import type { IncomingMessage } from 'node:http';
import { limits } from '@postrider/contract';
import { ApiError, invalidField } from '../../lib/api-error.ts';
import { leaveBody, type ReadingBody, watchBody } from './body-clock.ts';
import { declaredBytesOf } from './declared-bytes.ts';
import { drainBody } from './drain-body.ts';
import { keepBytes } from './kept-bytes.ts';

/** How a body is read. */
export interface BodyRules {
  /** A longer body is refused. */
  bytesMax: number;
  /** Of a longer body nothing is kept, though it is read as far as `bytesMax`. */
  keptMax: number;
  /** Looks at each part that comes; what it throws is the answer. */
  look(part: Buffer): void;
  /** Asked before a large body is read, or read on; what it throws is the answer. */
  enterLarge(bytes: number): Promise<void>;
}

/** How much of a large body is read in one turn of the event loop: a socket that is full would give 2 MB at once. */
const turnBytesMax = 131_072;

const receivedBytes = new WeakMap<IncomingMessage, number>();

/** How many bytes of the body were received until it was whole or refused. */
export const receivedBytesOf = (req: IncomingMessage): number => receivedBytes.get(req) ?? 0;

/**
 * Reads the body of a request; null when it has more than `keptMax` bytes.
 *
 * @throws ApiError `payload_too_large` over `bytesMax`, `invalid_request` for a body that does not come in time, and whatever
 * the rules throw: at once, without waiting for the rest.
 */
export const readBody = async (req: IncomingMessage, rules: BodyRules): Promise<Buffer | null> => {
  const declared = declaredBytesOf(req);
  if (declared !== null && declared > rules.bytesMax) throw tooLarge(rules.bytesMax);
  const isLarge = declared !== null && declared > limits.largeRequestBytes;
  // What is not kept takes a place all the same, since reading it takes time.
  if (isLarge) await rules.enterLarge(declared > rules.keptMax ? 0 : declared);
  // A client that left meanwhile sends nothing more, and no event says so again.
  if (req.destroyed) throw new ApiError('malformed_json');
  return new Promise((resolve, reject) => collect(req, rules, { declared, isLarge }, resolve, reject));
};

const tooLarge = (bytes: number) => new ApiError('payload_too_large', { limit_bytes: bytes });

/** Reads a body on in the next turn of the event loop whenever so much of it was taken, until that is ended. */
const readInTurns = (req: IncomingMessage) => {
  let turnBytes = 0;
  let isOver = false;
  return {
    took: (bytes: number): void => {
      turnBytes += bytes;
      if (turnBytes < turnBytesMax) return;
      turnBytes = 0;
      req.pause();
      setImmediate(() => {
        if (!isOver) req.resume();
      });
    },
    end: (): void => {
      isOver = true;
    },
  };
};

const collect = (
  req: IncomingMessage,
  rules: BodyRules,
  { declared, isLarge }: { declared: number | null; isLarge: boolean },
  resolve: (bytes: Buffer | null) => void,
  reject: (error: unknown) => void,
): void => {
  const kept = keepBytes(declared, rules.keptMax);
  const turns = readInTurns(req);
  const fail = (error: unknown) => {
    stop();
    drainBody(req);
    reject(error);
  };
  const body: ReadingBody = {
    received: 0,
    isLarge,
    giveUp: () => fail(invalidField('', 'did not arrive in time')),
  };
  const take = (part: Buffer) => {
    body.received += part.length;
    if (body.received > rules.bytesMax) return fail(tooLarge(rules.bytesMax));
    try {
      rules.look(part);
    } catch (error) {
      return fail(error);
    }
    kept.add(part);
    if (body.isLarge) return turns.took(part.length);
    if (body.received <= limits.largeRequestBytes) return;
    body.isLarge = true;
    pauseUntil(rules.enterLarge(rules.keptMax));
  };
  const pauseUntil = (entered: Promise<void>) => {
    req.pause();
    leaveBody(body);
    entered.then(() => {
      watchBody(body);
      req.resume();
    }, fail);
  };
  const end = () => {
    stop();
    resolve(kept.whole());
  };
  const gone = () => fail(new ApiError('malformed_json'));
  const stop = () => {
    turns.end();
    receivedBytes.set(req, body.received);
    leaveBody(body);
    req.off('data', take).off('end', end).off('error', gone).off('close', gone);
  };
  watchBody(body);
  req.on('data', take).on('end', end).on('error', gone).on('close', gone);
};
