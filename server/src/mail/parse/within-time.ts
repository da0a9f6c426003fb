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
