/** Keeps the event loop busy, with turns in between. Returns a function that ends it. */
export function keepBusy(): () => void {
  // With a pending immediate, the loop never sleeps. Between two timers it would, for as long as the machine is late.
  let next: NodeJS.Immediate;
  const work = () => {
    const until = performance.now() + 4;
    while (performance.now() < until);
    next = setImmediate(work);
  };
  work();
  return () => clearImmediate(next);
}
