import { setTimeout as sleep } from 'node:timers/promises';

/** Creates a pause of `ms` that ends for all its callers at the same time, so that hundreds of them cost one timer. */
export function createSharedPause(ms: number): () => Promise<void> {
  let pause: Promise<void> | null = null;
  const end = () => {
    pause = null;
  };
  return () => {
    pause ??= sleep(ms).then(end);
    return pause;
  };
}
