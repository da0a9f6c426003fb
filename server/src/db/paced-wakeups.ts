import { wait } from '../lib/concurrency/wait.ts';
import type { Wakeups, WakeupTopic } from './wakeups.ts';

/** The pause between two reads while wake-ups come without one. */
export const paceLimits = { leastMs: 50, mostMs: 250 };
/** The reason of the abort. Without one, each wake-up would create an error with its stack. */
const wokenUp = 'woken up';

/** The wake-ups of one waiter, which reads again after each. */
export interface PacedWakeups {
  /**
   * Call after a read that found nothing. Resolves when it is time for the next one: at a wake-up since that read began, after `ms`, or
   * once `ended` is aborted.
   */
  next(ms: number, ended: AbortSignal): Promise<void>;
  stop(): void;
}

/**
 * Creates the wake-ups of a workspace for one waiter, from now on, including those for keys, because the waiter's own may have been
 * revoked. A lone wake-up is passed on at once. If many come for changes that the waiter does not wait for, there are 50 to 250 ms between
 * two reads. The last wake-up of a burst is always followed by a read.
 */
export function paceWakeups(
  wakeups: Pick<Wakeups, 'listen'>,
  workspaceId: string,
  topic: WakeupTopic = 'rows',
): PacedWakeups {
  let woken = new AbortController();
  let pauseMs = 0;
  const wake = () => woken.abort(wokenUp);
  const stops = [wakeups.listen(workspaceId, wake, topic), wakeups.listen(workspaceId, wake, 'keys')];
  return {
    async next(ms, ended) {
      const lookedAt = performance.now();
      await wait(ms, AbortSignal.any([woken.signal, ended]));
      const quietMs = performance.now() - lookedAt;
      if (quietMs >= paceLimits.mostMs) pauseMs = 0;
      const leftMs = Math.min(pauseMs, ms) - quietMs;
      if (leftMs > 0) await wait(leftMs, ended);
      pauseMs = Math.min(Math.max(pauseMs * 2, paceLimits.leastMs), paceLimits.mostMs);
      woken = new AbortController();
    },
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}
