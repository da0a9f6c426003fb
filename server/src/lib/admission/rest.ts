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
