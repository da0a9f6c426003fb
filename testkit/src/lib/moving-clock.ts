import type { Clock } from '../../../server/src/lib/clock.ts';

/** A clock that runs like the machine's and can be moved ahead. */
export interface MovingClock extends Clock {
  advance(durationMs: number): void;
  /** Calls `listener` each time that the clock was moved. */
  onMoved(listener: () => void): void;
  /** Stops it until `goOn`, for tests in which nothing may fall due by itself, however long they take. */
  stop(): void;
  goOn(): void;
}

/** Creates a clock for `startTestServer`, so that tests need not wait for windows and holds to end. */
export function createMovingClock(): MovingClock {
  let aheadMs = 0;
  const listeners: (() => void)[] = [];
  let stoppedMs: number | null = null;
  return {
    now: () => new Date((stoppedMs ?? Date.now()) + aheadMs),
    advance: (durationMs) => {
      aheadMs += durationMs;
      for (const listener of listeners) listener();
    },
    onMoved: (listener) => void listeners.push(listener),
    stop: () => {
      stoppedMs ??= Date.now();
    },
    goOn: () => {
      if (stoppedMs !== null) aheadMs -= Date.now() - stoppedMs;
      stoppedMs = null;
    },
  };
}
