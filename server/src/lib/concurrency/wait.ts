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
