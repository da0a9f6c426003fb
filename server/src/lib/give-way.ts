import { constants, getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/** How much less of a processor such a thread gets than one that it shares it with: about a third. */
const politeness = 5;

/**
 * Lets the calling worker thread give way to the thread that answers requests, where both want the same processor. Linux has
 * priorities of threads; elsewhere it would be that of the process, and nothing is done.
 */
export const giveWay = (): void => {
  if (isMainThread || process.platform !== 'linux') return;
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + politeness));
  } catch {
    // Where that is not allowed, both get the same.
  }
};
