/*
 * Recipients, deliveries to webhooks and drafts are queues of rows, and all three work in the same way:
 * - `due_at` is when a worker may claim the row, and null if there is nothing to do.
 * - A claim moves `due_at` to the end of its lease, so that no other worker claims the row meanwhile. Long work renews the lease. The
 *   lease of a process that died ends, and the row is due again.
 * - Every claim raises the fence of the row: `attempts` of a recipient, `fence` of a delivery. A worker writes its result only if the
 *   fence is still its own, so one that was slower than its lease changes nothing. The fence of a draft is its `version`, which every
 *   change raises.
 */
import type { TimeScale } from './clock.ts';

/** The length of a lease, and the shortest one, however fast the test clock runs: a busy process needs a moment. */
export interface LeaseLength {
  ms: number;
  leastMs: number;
}

/** Returns the length of a lease in ms. */
export function leaseMs({ timeScale }: { timeScale: TimeScale }, { ms, leastMs }: LeaseLength): number {
  return Math.max(timeScale.scaleMs(ms), leastMs);
}

/** Returns when a lease that is taken at a moment ends. */
export function leaseEnd(deps: { timeScale: TimeScale }, length: LeaseLength, at: Date): Date {
  return new Date(at.getTime() + leaseMs(deps, length));
}
