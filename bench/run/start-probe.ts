import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Probes a server during some work, which gets a function that returns the longest wait since its last call, in milliseconds. */
export async function withProbe<Result>(
  { origin, key }: { origin: string; key: string },
  work: (longestWaitMs: () => Promise<number>) => Promise<Result>,
): Promise<Result> {
  const worker = new Worker(new URL('../load/http-probe.ts', import.meta.url), {
    workerData: { origin, key },
  });
  try {
    await once(worker, 'online');
    return await work(async () => {
      worker.postMessage('next');
      const [waitMs] = (await once(worker, 'message')) as [number];
      return waitMs;
    });
  } finally {
    await worker.terminate();
  }
}
