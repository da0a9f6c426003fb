/** What each key may do in a while. */
export interface Rate {
  perMinute: number;
  /** At once, after a pause. */
  burst: number;
}

/** Lets each key act at its rate. */
export interface TokenBuckets {
  /** Counts one act and answers 0, or answers how many milliseconds are missing to the next one and counts nothing. */
  take(key: string): number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/**
 * Token buckets in memory, one for each key. Keys that were not heard of for longest are forgotten, which lets them begin anew
 * with a whole burst, so that a flood of keys cannot fill the memory.
 */
export const createTokenBuckets = (
  { perMinute, burst }: Rate,
  nowMs: () => number,
  keysMax = 50_000,
): TokenBuckets => {
  const buckets = new Map<string, Bucket>();
  const perMs = perMinute / 60_000;
  return {
    take(key) {
      const now = nowMs();
      const known = buckets.get(key) ?? { tokens: burst, atMs: now };
      const tokens = Math.min(burst, known.tokens + (now - known.atMs) * perMs);
      const missing = Math.max(0, 1 - tokens);
      // Set anew, so that the map stays in the order of last use.
      buckets.delete(key);
      buckets.set(key, { tokens: missing > 0 ? tokens : tokens - 1, atMs: now });
      const [oldest] = buckets.keys();
      if (buckets.size > keysMax && oldest !== undefined) buckets.delete(oldest);
      return Math.ceil(missing / perMs);
    },
  };
};
