import { setImmediate } from 'node:timers/promises';

/** How long work may keep the event loop to itself. */
const turnMsMax = 10;

/**
 * Gives what long work calls between its steps: it lets everybody else have a turn once the work has kept the event loop to itself
 * for ten milliseconds, and costs nothing before.
 */
export const createBreather = (): (() => Promise<void> | undefined) => {
  let since = performance.now();
  return () => {
    if (performance.now() - since < turnMsMax) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
};
