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
