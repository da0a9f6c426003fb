/** Makes a call, or joins one with the same key that has not begun. */
export type SharedCalls<T> = (key: string, call: () => Promise<T>) => Promise<T>;

/**
 * Lets callers that ask for the same thing at the same time share one call. One call of a key runs at a time, and a caller
 * never joins one that has begun: what it is told was true after it asked.
 */
export const createSharedCalls = <T>(): SharedCalls<T> => {
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
};
