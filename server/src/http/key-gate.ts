/*
 * Protects the look-up of keys from load; keys cannot be guessed. A client that sent many unknown keys lately gets 429 without a look-up,
 * except for one a second. Callers with a valid key do not suffer from others: a key that was valid the last time is always looked up,
 * from any address, and clients on this machine are never refused, since all clients behind an untrusted proxy look like one.
 */

import type { KeyGate } from '../keys/authenticate.ts';
import { unknownKeyRate } from '../lib/admission/server-limits.ts';
import { createTokenBuckets } from '../lib/admission/token-buckets.ts';
import { clientOf, isLoopback } from '../lib/client-address.ts';
import { tooManyRequests } from '../lib/rate-limited.ts';
import { createRecentMap } from '../lib/recent-map.ts';

const goodKeysMax = 10_000;

/** Creates the gate of a process. It returns the gate of a request, which determines the client only if that matters. */
export function createKeyGate(
  nowMs: () => number = () => performance.now(),
  clientsMax = 50_000,
): (addressOf: () => string) => KeyGate {
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
}
