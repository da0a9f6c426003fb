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
