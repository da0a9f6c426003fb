import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

const lookEveryMs = 2;
const idleShare = 0.5;

/** How long work leaves a shared resource to others: a share of its own time, up to a limit. */
export interface Rest {
  share: number;
  msMax: number;
}

/**
 * Returns how long work rests that took `tookMs`. That includes the time for which a database or a disk stood still, so without a limit the
 * work would stand still for as long again.
 */
export function restMsAfter(tookMs: number, { share, msMax }: Rest): number {
  return Math.min(share * tookMs, msMax);
}

/** Resolves once others have had the event loop for long enough after work that took `tookMs`. */
export function restWhileBusy(tookMs: number, rest: Rest): Promise<void> {
  return loopIdle(restMsAfter(tookMs, rest));
}

/** Resolves once the event loop was idle for half of the time between two checks, or after `waitMsMax`. */
export async function loopIdle(waitMsMax: number): Promise<void> {
  const until = performance.now() + waitMsMax;
  let seen = performance.eventLoopUtilization();
  do {
    await pause(lookEveryMs);
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, seen);
    if (utilization < 1 - idleShare) return;
    seen = now;
  } while (performance.now() < until);
}
