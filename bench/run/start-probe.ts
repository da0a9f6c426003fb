import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Bench } from './group.ts';

/** Starts a probe of a server. Returns a function that returns the longest wait since its last call, in milliseconds. */
export async function startProbe(
  bench: Pick<Bench, 'atEnd'>,
  { origin, key }: { origin: string; key: string },
): Promise<() => Promise<number>> {
  const worker = new Worker(new URL('../load/http-probe.ts', import.meta.url), {
    workerData: { origin, key },
  });
  bench.atEnd(() => worker.terminate());
  await once(worker, 'online');
  return async () => {
    worker.postMessage('next');
    const [waitMs] = (await once(worker, 'message')) as [number];
    return waitMs;
  };
}
