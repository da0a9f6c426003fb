import { setTimeout as sleep } from 'node:timers/promises';

/** Makes a pause of `ms` that ends for all who ask for it at the same time: hundreds who look again cost one timer. */
export const createSharedPause = (ms: number): (() => Promise<void>) => {
  let pause: Promise<void> | null = null;
  const end = () => {
    pause = null;
  };
  return () => {
    pause ??= sleep(ms).then(end);
    return pause;
  };
};
