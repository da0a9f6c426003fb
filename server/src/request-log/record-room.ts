import type { Context } from '../context.ts';
import { createRecentMap } from '../lib/recent-map.ts';
import { createTokenBuckets, type Rate } from '../lib/token-buckets.ts';

/** How many requests get a row: of each key, successes and errors apart, and of a workspace. */
export const recordedRates: { success: Rate; error: Rate; workspace: Rate } = {
  success: { perMinute: 60, burst: 300 },
  error: { perMinute: 120, burst: 600 },
  workspace: { perMinute: 300, burst: 3_000 },
};

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
        isFull(buckets.take(key, recordedRates[kind])) ||
        isFull(buckets.take(workspaceId, recordedRates.workspace))
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
