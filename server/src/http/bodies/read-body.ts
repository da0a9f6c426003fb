import type { IncomingMessage } from 'node:http';
import { limits } from '@postrider/contract';
import { ApiError, invalidField } from '../../lib/api-error.ts';
import { readDeclaredBytes } from '../begin-request.ts';
import type { BodyDrain } from './body-drain.ts';

/** The options for reading a body. */
export interface BodyRules {
  /** A longer body is refused. */
  bytesMax: number;
  /** A longer body is read up to `bytesMax`, but not kept. */
  keptMax: number;
  /** Examines each part that arrives. An error that it throws becomes the response. */
  look(part: Buffer): void;
  /** Called before a large body is read, or read on. An error that it rejects with becomes the response. */
  enterLarge(bytes: number): Promise<void>;
}

/** The objects that the bodies of a server share. */
export interface BodySurroundings {
  clock: BodyClock;
  drain: BodyDrain;
}

/** The part of a large body that is read in one turn of the event loop. A full socket would deliver 2 MB at once. */
const turnBytesMax = 131_072;

const receivedBytes = new WeakMap<IncomingMessage, number>();

/** Returns the number of bytes that were received until the body was complete or refused. */
export function countReceived(req: IncomingMessage): number {
  return receivedBytes.get(req) ?? 0;
}

/**
 * Reads the body of a request. Returns null if it has more than `keptMax` bytes.
 *
 * @throws ApiError `payload_too_large` over `bytesMax`, `invalid_request` for a body that does not arrive in time, and whatever the rules
 * throw: at once, without waiting for the rest.
 */
export async function readBody(
  surroundings: BodySurroundings,
  req: IncomingMessage,
  rules: BodyRules,
): Promise<Buffer | null> {
  const declared = readDeclaredBytes(req);
  if (declared !== null && declared > rules.bytesMax) throw tooLarge(rules.bytesMax);
  const isLarge = declared !== null && declared > limits.largeRequestBytes;
  // A discarded body also takes a slot, because reading it takes time.
  if (isLarge) await rules.enterLarge(declared > rules.keptMax ? 0 : declared);
  // If the client left meanwhile, nothing more arrives, and no event will report it.
  if (req.destroyed) throw new ApiError('malformed_json');
  return new Promise((resolve, reject) =>
    collect(surroundings, req, rules, { declared, isLarge }, resolve, reject),
  );
}

function tooLarge(bytes: number) {
  return new ApiError('payload_too_large', { limit_bytes: bytes });
}

/** Pauses a body after each `turnBytesMax` bytes and resumes it in the next turn of the event loop, until `end` is called. */
function readInTurns(req: IncomingMessage) {
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
}

function collect(
  { clock, drain }: BodySurroundings,
  req: IncomingMessage,
  rules: BodyRules,
  { declared, isLarge }: { declared: number | null; isLarge: boolean },
  resolve: (bytes: Buffer | null) => void,
  reject: (error: unknown) => void,
): void {
  const kept = keepBytes(declared, rules.keptMax);
  const turns = readInTurns(req);
  const fail = (error: unknown) => {
    stop();
    drain.drain(req);
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
    clock.leave(body);
    entered.then(() => {
      clock.watch(body);
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
    clock.leave(body);
    req.off('data', take).off('end', end).off('error', gone).off('close', gone);
  };
  clock.watch(body);
  req.on('data', take).on('end', end).on('error', gone).on('close', gone);
}

/** The bytes of a body that arrives in parts. */
export interface KeptBytes {
  add(part: Buffer): void;
  /** Returns all bytes; null if there were more than are kept. */
  whole(): Buffer | null;
}

const firstBytes = 65_536;

/**
 * Collects the parts of a body in one buffer, which has the declared size or grows as parts arrive. A list of parts of one byte each would
 * take a hundred times their bytes. A body that arrives at once is used as it is.
 */
export function keepBytes(declared: number | null, keptMax: number): KeptBytes {
  if (declared !== null && declared > keptMax) return { add: () => {}, whole: () => null };
  let length = 0;
  let only: Buffer | null = null;
  let memory: Buffer | null = null;
  const room = (needed: number): Buffer => {
    if (memory && memory.length >= needed) return memory;
    const grown = Buffer.allocUnsafeSlow(declared ?? Math.min(keptMax, Math.max(firstBytes, 2 * needed)));
    (memory ?? only)?.copy(grown, 0, 0, length);
    only = null;
    memory = grown;
    return grown;
  };
  return {
    add: (part) => {
      const end = length + part.length;
      if (end > keptMax) {
        only = null;
        memory = null;
      } else if (length === 0) only = part;
      else part.copy(room(end), length);
      length = end;
    },
    whole: () => {
      if (length > keptMax) return null;
      return memory?.subarray(0, length) ?? only ?? Buffer.alloc(0);
    },
  };
}

/** The time limit for a body to arrive. */
export const bodyClockLimits = {
  /**
   * The time in which a small body must arrive completely. A large one, which occupies a slot, must deliver `largeBytes` more each time.
   */
  silenceMs: 30_000,
  largeBytes: 262_144,
  lookEveryMs: 2_000,
};

/** A body that is being read. */
export interface ReadingBody {
  received: number;
  isLarge: boolean;
  giveUp(): void;
}

/** Gives up bodies that take too long to arrive. One timer checks all of them, and stops when there are none. */
export class BodyClock {
  readonly #since = new Map<ReadingBody, { received: number; ms: number }>();
  #timer: NodeJS.Timeout | null = null;

  watch(body: ReadingBody): void {
    this.#since.set(body, { received: body.received, ms: performance.now() });
    this.#timer ??= setInterval(() => this.#look(), bodyClockLimits.lookEveryMs).unref();
  }

  /** Stops watching a body. */
  leave(body: ReadingBody): void {
    this.#since.delete(body);
  }

  #look(): void {
    const now = performance.now();
    for (const [body, seen] of this.#since) {
      if (body.isLarge && body.received - seen.received >= bodyClockLimits.largeBytes)
        Object.assign(seen, { received: body.received, ms: now });
      else if (now - seen.ms >= bodyClockLimits.silenceMs) body.giveUp();
    }
    if (this.#since.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
