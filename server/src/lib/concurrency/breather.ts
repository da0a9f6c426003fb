import { setTimeout as pause } from 'node:timers/promises';

/** How long work may keep the event loop to itself, and how long it rests then: a request takes several turns of the loop. */
const turnMsMax = 10;
const restMs = 5;

/**
 * Gives what long work calls between its steps: it lets everybody else have the event loop for a while once the work has kept it to
 * itself for ten milliseconds, and costs nothing before.
 */
export const createBreather = (): (() => Promise<void> | undefined) => {
  let since = performance.now();
  return () => {
    if (performance.now() - since < turnMsMax) return undefined;
    return pause(restMs).then(() => {
      since = performance.now();
    });
  };
};
