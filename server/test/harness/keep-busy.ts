/** Keeps the event loop busy, with turns between, from now until the answered function is called. */
export const keepBusy = (): (() => void) => {
  // With an immediate due the loop never sleeps; between two timers it would, for as long as the machine is late.
  let next: NodeJS.Immediate;
  const work = () => {
    const until = performance.now() + 4;
    while (performance.now() < until);
    next = setImmediate(work);
  };
  work();
  return () => clearImmediate(next);
};
