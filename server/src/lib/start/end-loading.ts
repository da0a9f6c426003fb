import { flushCompileCache } from 'node:module';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const idleShare = 0.05;

/**
 * Ends the loading phase of this thread after the first `ms` in which it was almost idle. This also drops compiled code, which a busy
 * server would have to compile again.
 */
export function endLoadingOnceIdle(ms: number): void {
  let last = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    if (utilization > idleShare) return;
    clearInterval(timer);
    endLoading();
  }, ms).unref();
}

/**
 * Ends the loading of this thread: saves the compiled code for the next start, and gives the memory that only loading needed, about half of
 * the heap, back to the system. It takes a tenth of a second, in which the thread does nothing else.
 */
export function endLoading(): void {
  // Node does so when a thread ends, but not when it is killed.
  flushCompileCache();
  // A heap that hardly grows is never collected automatically. Only this kind of collection returns the pages of the young
  // generation, which loading brought to its full size.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  collect({ type: 'major', flavor: 'last-resort' });
}
