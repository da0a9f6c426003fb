import { setTimeout as sleep } from 'node:timers/promises';
import { Lanes } from '../../lib/admission/lanes.ts';
import { createTokenBuckets } from '../../lib/admission/rate.ts';

/** The number of messages that can be in progress at once, and the number that can wait. */
export interface SesTurnLimits {
  /** In all. */
  atOnceMax: number;
  /** The places that no single owner takes. */
  keptForOthers: number;
  /** In all. */
  waitingMax: number;
  /** Of one owner. */
  waitingOfOwnerMax: number;
}

const bucket = 'account';
const failingMax = 2;

/**
 * The turns of messages at Amazon SES, of which each owner is a lane. No more begin in a second than the account may send. SES allows short
 * bursts over the rate, so a second's worth may go at once.
 */
export class SesTurns {
  readonly #limits: SesTurnLimits;
  readonly #lanes: Lanes;
  readonly #buckets = createTokenBuckets(() => performance.now());
  readonly #inFlight = new Set<Promise<unknown>>();
  #perSecond: number | null = null;
  #pausedUntilMs = 0;

  constructor(limits: SesTurnLimits) {
    this.#limits = limits;
    const { atOnceMax, keptForOthers } = limits;
    this.#lanes = new Lanes({
      placesMax: atOnceMax,
      keptForOthers,
      failingMax,
      restMs: () => this.#restMs(),
    });
  }

  /** Sets how many messages may begin in a second; null for any number. */
  setRate(perSecond: number | null): void {
    this.#perSecond = perSecond;
  }

  /** Begins no message for a while. */
  pause(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, performance.now() + ms);
  }

  /**
   * Returns 0 if another message of the owner can wait for its turn. Otherwise returns how long the waiting messages are likely to take, in
   * milliseconds.
   */
  fullForMs(owner: string): number {
    const { waitingMax, waitingOfOwnerMax, atOnceMax } = this.#limits;
    const { waiting } = this.#lanes;
    if (waiting < waitingMax && this.#lanes.waitingIn(owner) < waitingOfOwnerMax) return 0;
    const pausedMs = Math.max(0, this.#pausedUntilMs - performance.now());
    return Math.ceil(pausedMs + (waiting * 1_000) / (this.#perSecond ?? atOnceMax));
  }

  /** Runs `send` when it is the owner's turn. Returns null without running it if the turns are closed or the signal is aborted. */
  async run<T>(owner: string, signal: AbortSignal | undefined, send: () => Promise<T>): Promise<T | null> {
    const place = await this.#lanes.take(owner, signal);
    if (place === null) return null;
    const sent = send().finally(() => {
      this.#inFlight.delete(sent);
      place.leave();
    });
    this.#inFlight.add(sent);
    return sent;
  }

  /** Gives no more turns. Resolves once all messages under way have ended, or after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#lanes.close();
    const timer = new AbortController();
    await Promise.race([this.ended(), sleep(graceMs, undefined, { signal: timer.signal }).catch(() => {})]);
    timer.abort();
  }

  /** Resolves once the messages in progress have ended. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#inFlight);
  }

  #restMs(): number {
    const pausedMs = this.#pausedUntilMs - performance.now();
    if (pausedMs > 0) return pausedMs;
    if (this.#perSecond === null) return 0;
    const rate = { perMinute: this.#perSecond * 60, burst: Math.max(1, this.#perSecond) };
    return this.#buckets.take(bucket, rate).waitMs;
  }
}

/**
 * Returns a function that resolves once the rate of the account is known, or could not be read, and reads it again from time to time. While
 * it is unknown, SES itself says when messages come too fast.
 */
export function followRate(
  read: () => Promise<number>,
  everyMs: number,
  turns: Pick<SesTurns, 'setRate'>,
): () => Promise<void> {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let first: Promise<void> | null = null;
  return async () => {
    if (performance.now() - readAtMs >= everyMs) {
      readAtMs = performance.now();
      const reading = read().then(
        (rate) => turns.setRate(rate),
        () => {},
      );
      first ??= reading;
    }
    await first;
  };
}
