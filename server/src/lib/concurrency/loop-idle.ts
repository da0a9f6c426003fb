import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

const lookEveryMs = 2;
const idleShare = 0.5;

/** How long work leaves the event loop to others: a share of its own time, up to a limit. */
export interface Rest {
  share: number;
  msMax: number;
}

/** Resolves once others have had the event loop for long enough after work that took `tookMs`. */
export function restWhileBusy(tookMs: number, { share, msMax }: Rest): Promise<void> {
  return loopIdle(Math.min(share * tookMs, msMax));
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
