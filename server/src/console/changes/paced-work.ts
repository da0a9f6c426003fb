/** How often work may be done. */
export interface Pace {
  /** The least time between two runs at first. */
  firstMs: number;
  /** The most that it grows to while there is always more to do. */
  mostMs: number;
  /** How long it takes, after the last request, until the next run is immediate again. */
  growth: number;
}

/** Work that is asked for often and done at a pace. */
export interface PacedWork {
  /** Has the work done: now after a pause, or else when its turn comes. */
  ask(): void;
  stop(): void;
}

/**
 * Does work at once when it is asked for after a pause. While it is asked for again and again, the time between two runs grows by a
 * factor, so that a flood costs little and one event is seen at once.
 */
export function paceWork(work: () => Promise<void>, { firstMs, mostMs, growth }: Pace): PacedWork {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isAsked = false;
  let restMs = firstMs;
  let endedAt = Number.NEGATIVE_INFINITY;
  const run = async () => {
    timer = undefined;
    isAsked = false;
    isRunning = true;
    await work();
    isRunning = false;
    endedAt = performance.now();
    if (isAsked) schedule();
  };
  const schedule = () => {
    const idleMs = performance.now() - endedAt;
    restMs = idleMs > 2 * restMs ? firstMs : Math.min(mostMs, restMs * growth);
    timer = setTimeout(() => void run(), Math.max(0, restMs - idleMs));
    timer.unref();
  };
  return {
    ask: () => {
      isAsked = true;
      if (!isRunning && timer === undefined) schedule();
    },
    stop: () => clearTimeout(timer),
  };
}
