/** Work that goes on after its request was answered, and that a stopping server waits for. */
export interface Background {
  /** Follows the work; an error in it goes to `onError`. */
  run(work: Promise<unknown>): void;
  /** Resolves once nothing is under way, or after `graceMs`; says whether all of it ended. */
  settle(graceMs: number): Promise<boolean>;
}

/** Keeps track of background work. */
export const createBackground = (onError: (error: unknown) => void): Background => {
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
};
