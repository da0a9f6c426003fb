import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The result of some work, how long it took, and the longest time for which it blocked this thread. */
export interface Measured<T> {
  value: T;
  tookMs: number;
  stallMs: number;
}

/**
 * Measures work that should run elsewhere. The delay of the event loop also grows if other programs have the processor. Therefore a stall
 * never counts as longer than the time for which this thread computed.
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

/** Returns the milliseconds that this thread computes for some work, whatever else uses the processor meanwhile. */
export function measureCpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e3;
}
