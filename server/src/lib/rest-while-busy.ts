import { loopIdle } from './loop-idle.ts';

/** How long work of a workspace still counts while everybody waits for the one thread of the process. */
export const restLimits = {
  /** By how long it took. */
  share: 2,
  msMax: 100,
};

/** Resolves once others have had the event loop for as long as work that took so long has to leave it to them. */
export const restWhileBusy = (tookMs: number): Promise<void> =>
  loopIdle(Math.min(restLimits.share * tookMs, restLimits.msMax));
