/** The result of some work, how long it took, and the longest time for which it blocked this thread. */
export interface Measured<T> {
  value: T;
  tookMs: number;
  /** The stall in passes, see `measurePasses`. */
  stallPasses: number;
}

/** The most passes for which others may have to wait. */
export const stallPassesMax = 40;

/** The most passes that a hostile text may take where others do not wait for it. What is quadratic takes thousands. */
export const textPassesMax = 200;

/**
 * Measures work that should run elsewhere. A stall is the time for which this thread computed between two turns of its event loop, and not
 * the time that passed: other programs may have the processor meanwhile.
 */
export async function measureStall<T>(work: () => Promise<T>): Promise<Measured<T>> {
  const passBeforeMs = measurePassMs();
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
    return { value, tookMs, stallPasses: stallMs / Math.max(passBeforeMs, measurePassMs()) };
  } finally {
    clearInterval(timer);
  }
}

/**
 * Measures work that this thread does, in passes. A pass is the processor time that the thread takes, before or after the work, to get
 * eight megabytes, fill them and add up their bytes (10 to 40 ms). A busy machine makes both slower.
 */
export function measurePasses(work: () => unknown): number {
  const passBeforeMs = measurePassMs();
  const workMs = measureCpuMs(work);
  return workMs / Math.max(passBeforeMs, measurePassMs());
}

function measurePassMs(): number {
  const rounds = 2;
  return (
    measureCpuMs(() => {
      for (let round = 0; round < rounds; round++) {
        const bytes = Buffer.alloc(8_000_000, round);
        let sum = 0;
        for (let at = 0; at < bytes.length; at++) sum += bytes[at] as number;
        if (sum !== round * 8_000_000) throw new Error('Some bytes were not added.');
      }
    }) / rounds
  );
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
