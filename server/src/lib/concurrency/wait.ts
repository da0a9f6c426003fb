/** Resolves after `ms`, or at once when the signal is aborted; says which. */
export const wait = (ms: number, signal?: AbortSignal): Promise<'elapsed' | 'aborted'> =>
  new Promise((resolve) => {
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
