/** The result of some work, how long it took, and the longest time for which it blocked this thread. */
export interface Measured<T> {
  value: T;
  tookMs: number;
  stallMs: number;
}

/**
 * Measures work that should run elsewhere. A stall is the time for which this thread computed between two turns of its event loop, and not
 * the time that passed: other programs may have the processor meanwhile.
 */
export async function measureStall<T>(work: () => Promise<T>): Promise<Measured<T>> {
  let lastMs = threadCpuMs();
  let stallMs = 0;
  const look = () => {
    const nowMs = threadCpuMs();
    stallMs = Math.max(stallMs, nowMs - lastMs);
    lastMs = nowMs;
  };
  const timer = setInterval(look, 5);
  const start = performance.now();
  try {
    const value = await work();
    const tookMs = performance.now() - start;
    look();
    return { value, tookMs, stallMs };
  } finally {
    clearInterval(timer);
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e3;
}

/** Returns the milliseconds that this thread computes for some work, whatever else uses the processor meanwhile. */
export function measureCpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e3;
}
