/** What a promise resolves to, or `fallback` when that takes longer than `timeMs`; its late failure is then ignored. */
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
