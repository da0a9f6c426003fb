/** A server that shows a time further back than this has had its clock set back. */
const backwardMsMax = 5_000;

/**
 * The time of the server as a lower bound: never ahead of the server's own clock, however wrong the clock of this machine is.
 * Every answer says of some moment before it was read that the server's clock showed at least so much. The best of these
 * statements is kept as a distance to the monotonic clock of this machine, so the bound gets sharper with use: from a second,
 * since `Date` has whole seconds, to milliseconds by the times of messages.
 */
export class ServerClock {
  #aheadMs: number | null = null;

  /** Takes note that the server's clock has shown this time, as when something was created. */
  observe(time: string): void {
    const ms = Date.parse(time);
    if (Number.isNaN(ms)) return;
    const aheadMs = ms - performance.now();
    if (this.#aheadMs === null || aheadMs > this.#aheadMs) this.#aheadMs = aheadMs;
  }

  /** Takes note that the server's clock shows this time now, in whole seconds: the `Date` of an answer. */
  observeNow(date: string | null): void {
    const ms = Date.parse(date ?? '');
    const known = this.at(performance.now());
    if (known !== null && known.getTime() > ms + backwardMsMax) this.#aheadMs = null;
    this.observe(date ?? '');
  }

  /** The time of the server at a moment of `performance.now()`, or a little earlier; null before the first answer. */
  at(momentMs: number): Date | null {
    return this.#aheadMs === null ? null : new Date(Math.ceil(momentMs + this.#aheadMs));
  }
}
