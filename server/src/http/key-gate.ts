/*
 * Shields the look-up of keys. A client that showed many unknown keys lately is answered 429 without a look-up, for as long as it
 * goes on; one more is looked up each second. Keys cannot be guessed, so this is about load. Nobody with a good key pays for
 * others: a key that was good the last time is always looked up, wherever it comes from, and clients on this machine are never
 * refused, since all clients behind a proxy that is not trusted look like one.
 */
import { clientOf, isLoopback } from '../lib/client-address.ts';
import { tooManyRequests } from '../lib/rate-limited.ts';
import { createRecentMap } from '../lib/recent-map.ts';
import { createTokenBuckets } from '../lib/token-buckets.ts';
import type { KeyGate } from '../workspaces/authenticate.ts';

/** Unknown keys of one client. */
const unknownKeyRate = { perMinute: 60, burst: 100 };
const goodKeysMax = 10_000;

/** Makes the gate of a process, which gives the one for a request whose client is asked for only when it matters. */
export const createKeyGate = (
  nowMs: () => number = () => performance.now(),
  clientsMax = 50_000,
): ((addressOf: () => string) => KeyGate) => {
  const unknownKeys = createTokenBuckets(nowMs, clientsMax);
  const goodKeys = createRecentMap<true>(goodKeysMax);
  return (addressOf) => ({
    admit: (keyHash) => {
      if (goodKeys.get(keyHash)) return;
      const address = addressOf();
      if (isLoopback(address)) return;
      const { waitMs } = unknownKeys.look(clientOf(address), unknownKeyRate);
      if (waitMs > 0) throw tooManyRequests(waitMs);
    },
    note: (keyHash, isKnown) => {
      if (isKnown) return goodKeys.set(keyHash, true);
      goodKeys.delete(keyHash);
      unknownKeys.take(clientOf(addressOf()), unknownKeyRate);
    },
  });
};
