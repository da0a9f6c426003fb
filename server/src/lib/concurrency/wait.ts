import { setTimeout as pause, setTimeout as sleep } from 'node:timers/promises';

/** Resolves with `elapsed` after `ms`, or with `aborted` as soon as the signal is aborted. */
export function wait(ms: number, signal?: AbortSignal): Promise<'elapsed' | 'aborted'> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve('aborted');
    const end = () => {
      clearTimeout(timer);
      resolve('aborted');
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve('elapsed');
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/**
 * Resolves to the value of a promise, or to null once `ms` have passed or the signal is aborted. Rejects if the promise rejects by then.
 */
export async function waitFor<T>(promise: Promise<T>, ms: number, signal: AbortSignal): Promise<T | null> {
  const { promise: tooLong, resolve } = Promise.withResolvers<null>();
  const giveUp = () => resolve(null);
  const timer = setTimeout(giveUp, ms);
  signal.addEventListener('abort', giveUp);
  try {
    return await (signal.aborted ? null : Promise.race([promise, tooLong]));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    // Nobody else may handle a later failure.
    promise.catch(() => undefined);
  }
}

/** Returns the result of a promise, or `fallback` if it takes longer than `timeMs`. A later failure of the promise is then ignored. */
export async function withinTime<T, F>(promise: Promise<T>, timeMs: number, fallback: F): Promise<T | F> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<F>((resolve) => {
    timer = setTimeout(() => resolve(fallback), timeMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => undefined);
  }
}

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

/** Work that continues after the response to its request, and that a stopping server waits for. */
export interface Background {
  /** Keeps track of the work; its error goes to `onError`. */
  run(work: Promise<unknown>): void;
  /** Resolves once no work is under way, or after `graceMs`, with whether all work has ended. */
  settle(graceMs: number): Promise<boolean>;
}

/** Creates a tracker of background work. */
export function createBackground(onError: (error: unknown) => void): Background {
  const underway = new Set<Promise<unknown>>();
  return {
    run: (work) => {
      const followed = work.catch(onError).finally(() => underway.delete(followed));
      underway.add(followed);
    },
    settle: async (graceMs) => {
      const until = performance.now() + graceMs;
      while (underway.size > 0) {
        const leftMs = until - performance.now();
        if (leftMs <= 0) return false;
        let timer: NodeJS.Timeout | undefined;
        const timeout = new Promise((resolve) => {
          timer = setTimeout(resolve, leftMs);
        });
        await Promise.race([Promise.allSettled(underway), timeout]);
        clearTimeout(timer);
      }
      return true;
    },
  };
}
