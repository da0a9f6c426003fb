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
  }
}
