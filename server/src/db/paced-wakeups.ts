import { wait } from '../lib/concurrency/wait.ts';
import type { Wakeups, WakeupTopic } from './wakeups.ts';

const pauseLeastMs = 50;
const pauseMostMs = 250;
/** Without a reason of its own each wake-up would make an error with its stack. */
const wokenUp = 'woken up';

/** The wake-ups of one waiter who looks after each. */
export interface PacedWakeups {
  /**
   * Call after a look that found nothing. Resolves when it is time for the next one: at a wake-up since that look began,
   * after `ms`, or once `ended` is aborted.
   */
  next(ms: number, ended: AbortSignal): Promise<void>;
  stop(): void;
}

/**
 * Wake-ups of a workspace for one waiter, from now on, and those for keys, of which its own may have been revoked. A lone one is
 * passed on at once. Where many come, each for something that the waiter does not wait for, there are 50 to 250 ms between two
 * looks; the last wake-up of a burst is always followed by a look.
 */
export const paceWakeups = (
  wakeups: Pick<Wakeups, 'listen'>,
  workspaceId: string,
  topic: WakeupTopic = 'rows',
): PacedWakeups => {
  let woken = new AbortController();
  let pauseMs = 0;
  const wake = () => woken.abort(wokenUp);
  const stops = [wakeups.listen(workspaceId, wake, topic), wakeups.listen(workspaceId, wake, 'keys')];
  return {
    async next(ms, ended) {
      const lookedAt = performance.now();
      await wait(ms, AbortSignal.any([woken.signal, ended]));
      const quietMs = performance.now() - lookedAt;
      if (quietMs >= pauseMostMs) pauseMs = 0;
      const leftMs = Math.min(pauseMs, ms) - quietMs;
      if (leftMs > 0) await wait(leftMs, ended);
      pauseMs = Math.min(Math.max(pauseMs * 2, pauseLeastMs), pauseMostMs);
      woken = new AbortController();
    },
    stop: () => {
      for (const stop of stops) stop();
    },
  };
};
