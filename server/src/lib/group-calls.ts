/** Asks about one item; the answer may come from one call for many. */
export type GroupedCall<T, R> = (item: T) => Promise<R>;

interface Waiting<R> {
  resolve(answer: R): void;
  reject(error: unknown): void;
}

/**
 * Puts what is asked while a call is under way into the next one, so that many callers at once cost few calls and a lone one
 * waits for nobody. `call` answers in the order of its items, and its failure is everybody's; `countOf` says how many of those
 * that wait go together, at least one.
 */
export const createGroupedCall = <T, R>(
  call: (items: T[]) => Promise<R[]>,
  countOf: (items: T[]) => number,
): GroupedCall<T, R> => {
  const items: T[] = [];
  const waiting: Waiting<R>[] = [];
  let running = false;
  const run = async () => {
    running = true;
    while (items.length > 0) {
      const count = Math.max(1, countOf(items));
      const askers = waiting.splice(0, count);
      try {
        const answers = await call(items.splice(0, count));
        for (const [index, asker] of askers.entries()) asker.resolve(answers[index] as R);
      } catch (error) {
        for (const asker of askers) asker.reject(error);
      }
    }
    running = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      items.push(item);
      waiting.push({ resolve, reject });
      if (!running) void run();
    });
};
