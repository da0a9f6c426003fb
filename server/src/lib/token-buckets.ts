import { createRecentMap } from './recent-map.ts';

/** What a key may do in a while. */
export interface Rate {
  perMinute: number;
  /** At once, after a pause. */
  burst: number;
}

/** What a key has left. */
export interface BucketState {
  tokens: number;
  /** How long until it may act: 0 for at once. */
  waitMs: number;
}

/** Lets each key act at a rate, which may be another one each time: what a key has used stays used. */
export interface TokenBuckets {
  /** Counts one act, unless the key has to wait: then it counts nothing. Answers what is left, or the wait. */
  take(key: string, rate: Rate): BucketState;
  /** Counts so many acts at once, however few are left: what is missing has to come back first. */
  spend(key: string, rate: Rate, acts: number): void;
  /** As `take`, and counts nothing. */
  look(key: string, rate: Rate): BucketState;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/**
 * Token buckets in memory, one for each key. Of more than `keysMax` those that were not heard of lately are forgotten,
 * which lets them begin anew with a whole burst, so that a flood of keys cannot fill the memory.
 */
export const createTokenBuckets = (nowMs: () => number, keysMax = 50_000): TokenBuckets => {
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
};
