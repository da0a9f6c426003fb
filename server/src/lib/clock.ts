/** The source of time for domain logic, so that tests can move it. */
export interface Clock {
  now(): Date;
}

/** The machine's wall clock. */
export const systemClock: Clock = { now: () => new Date() };

/** Shortens waits, holds and windows in tests; a production server runs at factor 1. */
export interface TimeScale {
  factor: number;
  /** Returns how long a wait of `durationMs` really takes: at least 1 ms, unless there is nothing to wait for. */
  scaleMs(durationMs: number): number;
  /** Returns the moment `durationMs` of service time after `at`. */
  after(at: Date, durationMs: number): Date;
  /** Returns the moment `durationMs` of service time before `at`, for windows that look back. */
  before(at: Date, durationMs: number): Date;
}

/** Creates a time scale that runs every wait `factor` times as fast: at 60, a minute takes a second. Throws a RangeError unless above 0. */
export function createTimeScale(factor: number): TimeScale {
  if (!(factor > 0 && Number.isFinite(factor)))
    throw new RangeError('The time scale must be a number above 0.');
  const scaleMs = (durationMs: number) =>
    durationMs <= 0 ? 0 : Math.max(1, Math.round(durationMs / factor));
  return {
    factor,
    scaleMs,
    after: (at, durationMs) => new Date(at.getTime() + scaleMs(durationMs)),
    before: (at, durationMs) => new Date(at.getTime() - scaleMs(durationMs)),
  };
}

/*
 * Recipients, deliveries to webhooks and drafts are queues of rows, and all three work in the same way:
 * - `due_at` is when a worker may claim the row, and null if there is nothing to do.
 * - A claim moves `due_at` to the end of its lease, so that no other worker claims the row meanwhile. Long work renews the lease. The
 *   lease of a process that died ends, and the row is due again.
 * - Every claim raises the fence of the row: `attempts` of a recipient, `fence` of a delivery. A worker writes its result only if the
 *   fence is still its own, so one that was slower than its lease changes nothing. The fence of a draft is its `version`, which every
 *   change raises.
 */

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
