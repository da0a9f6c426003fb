import { createRecentMap } from '../recent-map.ts';

/** How often a key may act. */
export interface Rate {
  perMinute: number;
  /** How many acts are possible at once after a pause. */
  burst: number;
}

/** The tokens that a key has left. */
export interface BucketState {
  tokens: number;
  /** The time until it may act; 0 if it may act now. */
  waitMs: number;
}

/** Lets each key act at a rate, which may differ from call to call. Used tokens stay used. */
export interface TokenBuckets {
  /** Counts one act, unless the key has to wait. Returns the tokens left and the wait. */
  take(key: string, rate: Rate): BucketState;
  /** Counts several acts at once, even if fewer tokens are left. The missing tokens have to come back first. */
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
  const tokensOf = (key: string, { perMinute, burst }: Rate, now: number): number => {
    const known = buckets.get(key);
    return known ? Math.min(burst, known.tokens + ((now - known.atMs) * perMinute) / 60_000) : burst;
  };
  const waitMsOf = (tokens: number, { perMinute }: Rate): number =>
    tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * 60_000) / perMinute);
  return {
    spend: (key, rate, acts) => {
      const now = nowMs();
      buckets.set(key, { tokens: tokensOf(key, rate, now) - acts, atMs: now });
    },
    look: (key, rate) => {
      const tokens = tokensOf(key, rate, nowMs());
      return { tokens, waitMs: waitMsOf(tokens, rate) };
    },
    take: (key, rate) => {
      const now = nowMs();
      const before = tokensOf(key, rate, now);
      const waitMs = waitMsOf(before, rate);
      const tokens = waitMs > 0 ? before : before - 1;
      buckets.set(key, { tokens, atMs: now });
      return { tokens, waitMs };
    },
  };
}
