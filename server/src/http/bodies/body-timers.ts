import type { IncomingMessage } from 'node:http';

/** How long a body may take to arrive. */
export const bodyClockLimits = {
  /**
   * The time in which a small body must arrive whole. A large one, which takes a slot from others, must bring `largeBytes` more each time.
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

/** Gives up bodies that take too long to arrive. One timer looks at all of them, and stops when there are none. */
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

/** How many connections are read at each interval, up to 64 KB each. */
export const drainLimits = { everyMs: 10, partsAtOnce: 6 };

/**
 * Reads and drops the rest of a body after its request was answered, since a client that is cut off while it sends does not see the
 * response. It reads slowly: a refused request costs its sender nothing, and reading hundreds of megabytes a second would make everybody
 * else wait. All connections together are read at about 40 MB a second, in turns.
 */
export class BodyDrain {
  readonly #draining = new WeakSet<IncomingMessage>();
  readonly #line = new Set<IncomingMessage>();
  #timer: NodeJS.Timeout | null = null;

  /** Reads the rest of a body in turns with others. `limitConnections` ends connections that take too long. */
  drain(req: IncomingMessage): void {
    if (this.#draining.has(req)) return;
    this.#draining.add(req);
    const readLater = () => {
      req.pause();
      this.#line.add(req);
      this.#timer ??= setInterval(() => this.#readOn(), drainLimits.everyMs);
    };
    req.on('data', readLater);
    // Node drops a body that nothing has begun to read, all of it at once. A paused body stays paused until it is resumed.
    if (req.isPaused()) readLater();
    else req.read(0);
  }

  #readOn(): void {
    for (const req of [...this.#line].slice(0, drainLimits.partsAtOnce)) {
      this.#line.delete(req);
      req.resume();
    }
    if (this.#line.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
