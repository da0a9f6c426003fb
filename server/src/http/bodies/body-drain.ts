import type { IncomingMessage } from 'node:http';

/** The number of connections that are read at each interval, up to 64 KB each. */
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
