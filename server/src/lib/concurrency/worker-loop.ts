import { wait } from './wait.ts';

/** A look may have taken long because the database stood still. */
const longestRestMs = 1_000;
/** After a look that failed. */
const retryMs = 1_000;
/** Work that is due may be locked by another process at this moment. */
const shortestPauseMs = 5;

/** The time until the next look, if only a wake-up tells that there is work. */
export const nothingDue = Number.POSITIVE_INFINITY;

/** The parameters of a loop. */
export interface WorkerLoopOptions {
  /**
   * Does the work that is due. Returns the time in ms until more is due: 0 if there is more work now, `nothingDue` if none is known.
   * `stopped` is aborted when the loop is stopped, so that a long look can end early.
   */
  look(stopped: AbortSignal): Promise<number>;
  /** Called with the error of a look. */
  onError(error: unknown): void;
  /** The longest time in ms between two looks, so the time for which work may wait whose wake-up was lost. */
  lookAgainMs: number;
  /**
   * Returns the least time in ms between the starts of two looks, given how long the first one took. The loop rests for a second at most.
   * Without it, there is none.
   */
  periodMs?(tookMs: number): number;
}

/** A loop that looks for work until it is stopped. */
export interface WorkerLoop {
  /** Has the loop look again soon. A call during a look leads to another look after it, so none is lost. */
  wake(): void;
  /** Starts no more looks. Resolves once the current one has ended. */
  stop(): Promise<void>;
}

/** Starts a loop of looks, one at a time: after each it pauses until more work is due, or until it is woken. */
export function startLoop({ look, onError, lookAgainMs, periodMs }: WorkerLoopOptions): WorkerLoop {
  const stopped = new AbortController();
  let woken = false;
  let endPause = () => {};
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const loop = async () => {
    while (!stopped.signal.aborted) {
      woken = false;
      const startedAt = performance.now();
      const dueInMs = await look(stopped.signal).catch((error: unknown) => {
        onError(error);
        return retryMs;
      });
      const tookMs = performance.now() - startedAt;
      if (dueInMs > 0 && !woken && !stopped.signal.aborted)
        await pause(Math.max(shortestPauseMs, Math.min(dueInMs, lookAgainMs)));
      const leftMs = startedAt + (periodMs?.(tookMs) ?? 0) - performance.now();
      if (leftMs > 0) await wait(Math.min(leftMs, longestRestMs), stopped.signal);
    }
  };
  const ended = loop();
  const wake = () => {
    woken = true;
    endPause();
  };
  return {
    wake,
    stop: () => {
      stopped.abort();
      wake();
      return ended;
    },
  };
}
