/** Keeps the event loop busy, with turns between, until the answered function is called. */
export const keepBusy = (): (() => void) => {
  const work = () => {
    const until = performance.now() + 4;
    while (performance.now() < until);
  };
  const timer = setInterval(work, 1);
  return () => clearInterval(timer);
};
