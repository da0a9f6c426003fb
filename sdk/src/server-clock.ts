/*
 * The time of the server, as a lower bound: it is never ahead of the server's own clock, however wrong the clock of this
 * machine is. Every answer says of some moment before it was read that the server's clock showed at least this much. The best
 * of these statements is kept as a distance to the monotonic clock of this machine, so the bound gets sharper with use:
 * from a second (`Date` has whole seconds) to milliseconds (timestamps of messages).
 */
export class ServerClock {
  #aheadMs: number | null = null;

  /** Takes note that the server's clock has shown this time: a `Date` header, or when a message was stored. */
  observe(time: string | null | undefined): void {
    const ms = Date.parse(time ?? '');
    if (Number.isNaN(ms)) return;
    const aheadMs = ms - performance.now();
    if (this.#aheadMs === null || aheadMs > this.#aheadMs) this.#aheadMs = aheadMs;
  }

  /** The time of the server at a moment of `performance.now()`, or a little earlier; null before the first answer. */
  at(momentMs: number): Date | null {
    return this.#aheadMs === null ? null : new Date(Math.ceil(momentMs + this.#aheadMs));
  }
}
