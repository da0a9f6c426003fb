import { setTimeout as sleep } from 'node:timers/promises';
import { FairQueue } from '../../lib/admission/fair-queue.ts';
import { createTokenBuckets } from '../../lib/admission/rate.ts';
import { Lanes } from '../../lib/concurrency/lanes.ts';

/** How many messages may be under way at once, and how many may wait for that. */
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

interface Waiter {
  owner: string;
  begin(): void;
  giveUp(): void;
}

const bucket = 'account';
const failingMax = 2;

/**
 * The turns of messages at Amazon SES. A limited number is under way at once, no more a second than the account may send. Owners take
 * turns. Short bursts over the rate are allowed by SES, so a second's worth may go at once.
 */
export class SesTurns {
  readonly #waiters = new FairQueue<Waiter>();
  readonly #limits: SesTurnLimits;
  readonly #lanes: Lanes;
  readonly #buckets = createTokenBuckets(() => performance.now());
  readonly #inFlight = new Set<Promise<unknown>>();
  #perSecond: number | null = null;
  #pausedUntilMs = 0;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(limits: SesTurnLimits) {
    this.#limits = limits;
    const { atOnceMax, keptForOthers } = limits;
    this.#lanes = new Lanes({ placesMax: atOnceMax, keptForOthers, failingMax });
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
   * Returns 0 if another message of the owner may wait for its turn. Otherwise returns how long those that wait are likely to take, in
   * milliseconds.
   */
  fullForMs(owner: string): number {
    const { waitingMax, waitingOfOwnerMax, atOnceMax } = this.#limits;
    const waiting = this.#waiters.length;
    if (waiting < waitingMax && this.#waiters.lengthOf(owner) < waitingOfOwnerMax) return 0;
    const pausedMs = Math.max(0, this.#pausedUntilMs - performance.now());
    return Math.ceil(pausedMs + (waiting * 1_000) / (this.#perSecond ?? atOnceMax));
  }

  /** Runs `send` when it is the owner's turn. Returns null without running it if the turns are closed or the signal is aborted. */
  async run<T>(owner: string, signal: AbortSignal | undefined, send: () => Promise<T>): Promise<T | null> {
    if (!(await this.#turn(owner, signal))) return null;
    const sent = send().finally(() => {
      this.#inFlight.delete(sent);
      this.#lanes.leave(owner);
      this.#serve();
    });
    this.#inFlight.add(sent);
    return sent;
  }

  /** Gives no more turns. Resolves once all messages under way have ended, or after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer ?? undefined);
    for (let waiter = this.#waiters.shift(); waiter; waiter = this.#waiters.shift()) waiter.giveUp();
    const timer = new AbortController();
    const ended = Promise.allSettled(this.#inFlight);
    await Promise.race([ended, sleep(graceMs, undefined, { signal: timer.signal }).catch(() => {})]);
    timer.abort();
  }

  /** Resolves once the messages under way have ended. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#inFlight);
  }

  #turn(owner: string, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#isClosed || signal?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (isTurn: boolean) => {
        signal?.removeEventListener('abort', leave);
        resolve(isTurn);
      };
      const waiter: Waiter = { owner, begin: () => settle(true), giveUp: () => settle(false) };
      const leave = () => {
        this.#waiters.remove(owner, waiter);
        settle(false);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiters.push(owner, waiter);
      this.#serve();
    });
  }

  #serve(): void {
    const mayHaveTurn = (owner: string) => this.#lanes.roomOf(owner) > 0;
    while (!this.#isClosed && this.#waiters.peek(mayHaveTurn)) {
      const waitMs = this.#waitMs();
      if (waitMs > 0) {
        this.#serveLater(waitMs);
        return;
      }
      const waiter = this.#waiters.shift(mayHaveTurn);
      if (!waiter) return;
      this.#lanes.enter(waiter.owner);
      waiter.begin();
    }
  }

  #waitMs(): number {
    const pausedMs = this.#pausedUntilMs - performance.now();
    if (pausedMs > 0) return pausedMs;
    if (this.#perSecond === null) return 0;
    const rate = { perMinute: this.#perSecond * 60, burst: Math.max(1, this.#perSecond) };
    return this.#buckets.take(bucket, rate).waitMs;
  }

  #serveLater(waitMs: number): void {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = setTimeout(() => this.#serve(), Math.ceil(waitMs));
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
