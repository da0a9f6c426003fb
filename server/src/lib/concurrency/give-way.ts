import { constants, getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/** Added to the nice value, so that such a thread gets about a third of a processor that the other thread also needs. */
const niceness = 5;

/**
 * Lets the calling worker thread give way to the thread that serves requests if both need the same processor. Only Linux has priorities of
 * threads. Elsewhere this would change that of the process, so nothing is done.
 */
export function giveWay(): void {
  if (isMainThread || process.platform !== 'linux') return;
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness));
  } catch {
    // Without the permission to lower its priority, the thread keeps the one that it has.
  }
}
