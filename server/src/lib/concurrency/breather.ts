import { setTimeout as pause } from 'node:timers/promises';

/** How long work may occupy the event loop, and how long it then rests: a request takes several turns of the loop. */
const turnMsMax = 10;
const restMs = 5;

/**
 * Creates a function that long work calls between its steps. Once the work has occupied the event loop for ten milliseconds, a call lets
 * other work have the loop for a while. Before that, it costs nothing.
 */
export function createBreather(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < turnMsMax) return undefined;
    return pause(restMs).then(() => {
      since = performance.now();
    });
  };
}
