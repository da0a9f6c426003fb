import { constants, getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/** Added to the nice value, so that such a thread gets about a third of a processor that the other one wants too. */
const niceness = 5;

/**
 * Lets the calling worker thread give way to the thread that answers requests, where both want the same processor. Linux has
 * priorities of threads; elsewhere it would be that of the process, and nothing is done.
 */
export const giveWay = (): void => {
  if (isMainThread || process.platform !== 'linux') return;
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness));
  } catch {
    // Without the permission to lower its priority, the thread keeps the one that it has.
  }
};
