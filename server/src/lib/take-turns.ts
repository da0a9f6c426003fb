/** Runs the work, or waits until it is its turn. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets at most `atOnceMax` of those who ask work at a time, in the order in which they came. */
export const createTurns = (atOnceMax: number): Turns => {
  const waiting: (() => void)[] = [];
  let working = 0;
  return async (work) => {
    if (working < atOnceMax) working += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // A turn is handed on, so that nobody who comes now gets in between.
      if (next) next();
      else working -= 1;
    }
  };
};
