import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a piece of work came to, how long it took, and the longest time that it kept this thread from everything else. */
export interface Measured<T> {
  value: T;
  tookMs: number;
  stallMs: number;
}

/**
 * Measures work that should go on elsewhere. The event loop's delay also grows when other programs have the processor, so a
 * stall is never taken to be longer than the time for which this thread computed.
 */
export async function measureStall<T>(work: () => Promise<T>): Promise<Measured<T>> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const before = process.threadCpuUsage();
  const start = performance.now();
  delay.enable();
  const value = await work();
  const tookMs = performance.now() - start;
  delay.disable();
  const { user, system } = process.threadCpuUsage(before);
  return { value, tookMs, stallMs: Math.min(delay.max / 1e6, (user + system) / 1e3) };
}

/** How long this thread computes for some work, whoever else has the processor meanwhile. */
export function measureCpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e3;
}
