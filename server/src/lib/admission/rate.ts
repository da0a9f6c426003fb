/*
 * Rates limit how often work begins, with a burst. `TokenBuckets` refuse work over the rate and say how long it must wait. A `ByteFlow`
 * delays bytes instead, in order.
 */
import { createRecentMap } from '../memory.ts';

/** The number of acts of a key per minute. */
export interface Rate {
  perMinute: number;
  /** The number of acts that are possible at once after a pause. */
  burst: number;
}

/** The tokens that a key has left. */
interface BucketState {
  tokens: number;
  /** The time until it may act; 0 if it may act now. */
  waitMs: number;
}

/** Lets each key act at a rate, which may differ from call to call. Used tokens stay used. */
export interface TokenBuckets {
  /** Counts one act, unless the key has to wait. Returns the tokens left and the wait. */
  take(key: string, rate: Rate): BucketState;
  /** Counts several acts at once, even if fewer tokens are left. The missing tokens must be regained first. */
  spend(key: string, rate: Rate, acts: number): void;
  /** Same as `take`, but counts nothing. */
  look(key: string, rate: Rate): BucketState;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/**
 * Creates token buckets in memory, one for each key. Beyond `keysMax`, keys that were not used lately are forgotten, so that a flood of
 * keys cannot fill the memory. A forgotten key begins again with a whole burst.
 */
export function createTokenBuckets(nowMs: () => number, keysMax = 50_000): TokenBuckets {
  const buckets = createRecentMap<Bucket>(keysMax);
  const currentTokens = (key: string, { perMinute, burst }: Rate, now: number): number => {
    const known = buckets.get(key);
    return known ? Math.min(burst, known.tokens + ((now - known.atMs) * perMinute) / 60_000) : burst;
  };
  const msUntilToken = (tokens: number, { perMinute }: Rate): number =>
    tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * 60_000) / perMinute);
  return {
    spend: (key, rate, acts) => {
      const now = nowMs();
      buckets.set(key, { tokens: currentTokens(key, rate, now) - acts, atMs: now });
    },
    look: (key, rate) => {
      const tokens = currentTokens(key, rate, nowMs());
      return { tokens, waitMs: msUntilToken(tokens, rate) };
    },
    take: (key, rate) => {
      const now = nowMs();
      const before = currentTokens(key, rate, now);
      const waitMs = msUntilToken(before, rate);
      const tokens = waitMs > 0 ? before : before - 1;
      buckets.set(key, { tokens, atMs: now });
      return { tokens, waitMs };
    },
  };
}

/** Bytes that are to pass. */
interface Portion {
  bytes: number;
  /** Portions of a lower order go first. */
  order: number;
  /** The longest time that they wait. */
  waitMsMax: number;
}

interface Waiter {
  bytes: number;
  order: number;
  untilMs: number;
  go(): void;
}

/** The largest debt, in seconds of the rate. Bytes that passed because their wait was over delay later ones by no more than this. */
const owedSecondsMax = 30;
/** Small, because bytes that pass at once are also handled at once. */
const savedSecondsMax = 0.2;

/** Lets bytes pass at a rate, those of the lowest order first. After a pause, the bytes of `savedSecondsMax` pass at once. */
export class ByteFlow {
  readonly bytesPerSecond: number;
  /** In bytes. Below zero it is a debt, which has to be paid off first. */
  #credit: number;
  #creditAtMs: number;
  #waiters: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(bytesPerSecond: number) {
    this.bytesPerSecond = bytesPerSecond;
    this.#credit = savedSecondsMax * bytesPerSecond;
    this.#creditAtMs = performance.now();
  }

  /** Counts the bytes. Returns null if they may pass at once, or a promise that resolves when they may. */
  pass({ bytes, order, waitMsMax }: Portion): Promise<void> | null {
    this.#earn();
    const isFirst = this.#waiters.every((waiter) => order < waiter.order);
    if ((isFirst && this.#credit > 0) || waitMsMax <= 0) {
      this.#spend(bytes);
      return null;
    }
    return new Promise((resolve) => {
      const place = this.#waiters.findLastIndex((waiter) => waiter.order <= order) + 1;
      this.#waiters.splice(place, 0, { bytes, order, untilMs: performance.now() + waitMsMax, go: resolve });
      this.#lookAgain();
    });
  }

  #earn(): void {
    const now = performance.now();
    const earned = ((now - this.#creditAtMs) * this.bytesPerSecond) / 1_000;
    this.#credit = Math.min(savedSecondsMax * this.bytesPerSecond, this.#credit + earned);
    this.#creditAtMs = now;
  }

  #spend(bytes: number): void {
    this.#credit = Math.max(this.#credit - bytes, -owedSecondsMax * this.bytesPerSecond);
  }

  #release(): void {
    this.#earn();
    this.#waiters = this.#waiters.filter(({ bytes, untilMs, go }) => {
      if (this.#credit <= 0 && untilMs > performance.now()) return true;
      this.#spend(bytes);
      go();
      return false;
    });
    this.#lookAgain();
  }

  #lookAgain(): void {
    clearTimeout(this.#timer);
    if (this.#waiters.length === 0) return;
    const patienceMs = Math.min(...this.#waiters.map(({ untilMs }) => untilMs)) - performance.now();
    const earningMs = (Math.max(0, 1 - this.#credit) * 1_000) / this.bytesPerSecond;
    this.#timer = setTimeout(() => this.#release(), Math.ceil(Math.min(patienceMs, earningMs))).unref();
  }
}
