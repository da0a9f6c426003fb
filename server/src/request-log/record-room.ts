import type { Context } from '../context.ts';
import { requestRowRates } from '../lib/admission/server-limits.ts';
import { createTokenBuckets } from '../lib/admission/token-buckets.ts';
import { createRecentMap } from '../lib/recent-map.ts';

const keysMax = 20_000;

/** Decides which requests get a row, so that no key can fill the log, and a busy key does not hide a quiet one. */
export interface RecordRoom {
  /** Returns how many requests of the key were skipped since its last row of this kind; null if this request is skipped, too. */
  take(caller: { workspaceId: string; keyId: string }, status: number): number | null;
}

/** Creates the room of one process, in which the shares of keys are kept. */
export function createRecordRoom(nowMs: () => number = () => performance.now()): RecordRoom {
  const buckets = createTokenBuckets(nowMs);
  const skippedOf = createRecentMap<number>(keysMax);
  return {
    take: ({ workspaceId, keyId }, status) => {
      const kind = Math.floor(status / 100) < 4 ? 'success' : 'error';
      const key = `${keyId} ${kind}`;
      const skipped = skippedOf.get(key) ?? 0;
      const isFull = ({ waitMs }: { waitMs: number }) => waitMs > 0;
      if (
        isFull(buckets.take(key, requestRowRates[kind])) ||
        isFull(buckets.take(workspaceId, requestRowRates.workspace))
      ) {
        skippedOf.set(key, skipped + 1);
        return null;
      }
      if (skipped > 0) skippedOf.set(key, 0);
      return skipped;
    },
  };
}

/** Returns the key that a request came with; null for people and for requests without a caller. */
export function keyOf(context: Context | undefined): { workspaceId: string; keyId: string } | null {
  if (context?.actor.kind !== 'key') return null;
  return { workspaceId: context.workspaceId, keyId: context.actor.id };
}
