/** Makes a call, or joins one with the same key that has not begun. */
type SingleFlight<T> = (key: string, call: () => Promise<T>) => Promise<T>;

/**
 * Creates a function that lets callers with the same key share one call. One call of a key runs at a time. A caller never joins one that
 * has begun, so its result is never older than its request.
 */
export function createSingleFlight<T>(): SingleFlight<T> {
  const running = new Map<string, Promise<T>>();
  const due = new Map<string, Promise<T>>();
  const begin = async (key: string, call: () => Promise<T>, before: Promise<T> | undefined): Promise<T> => {
    await before?.catch(() => {});
    due.delete(key);
    const begun = call();
    running.set(key, begun);
    try {
      return await begun;
    } finally {
      if (running.get(key) === begun) running.delete(key);
    }
  };
  return (key, call) => {
    const joined = due.get(key);
    if (joined) return joined;
    const next = begin(key, call, running.get(key));
    due.set(key, next);
    return next;
  };
}
