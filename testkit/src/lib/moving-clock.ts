import type { Clock } from '../../../server/src/lib/clock.ts';

/** A clock that runs like the machine's and can be moved ahead. */
export interface MovingClock extends Clock {
  advance(durationMs: number): void;
  /** Calls `listener` each time that the clock was moved. */
  onMoved(listener: () => void): void;
}

/** Creates a clock for `startTestServer`, so that tests need not wait for windows and holds to end. */
export function createMovingClock(): MovingClock {
  let aheadMs = 0;
  const listeners: (() => void)[] = [];
  return {
    now: () => new Date(Date.now() + aheadMs),
    advance: (durationMs) => {
      aheadMs += durationMs;
      for (const listener of listeners) listener();
    },
    onMoved: (listener) => void listeners.push(listener),
  };
}
