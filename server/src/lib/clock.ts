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
