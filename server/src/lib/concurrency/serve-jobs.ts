/* Runs in the worker threads of `WorkThread`. */
import { parentPort } from 'node:worker_threads';
import { giveWay } from './give-way.ts';

/** A message of a worker thread: that it is loaded, or the result of a job, each with the processor time that it has used so far. */
export interface ThreadMessage<Answer> {
  usedMs: number;
  done?: { answer: Answer };
}

/** Sends the result of a job, once. The memory of `own` is transferred with it. */
export type Reply<Answer> = (answer: Answer, own?: ArrayBuffer[]) => void;

/**
 * Serves one job after another in this worker thread, at a lower priority. `load` loads the code, which does not count as work of a job,
 * and returns the function for a job. An error ends the thread and fails the job.
 */
export async function serveJobs<Job, Answer>(
  load: () => Promise<(job: Job, reply: Reply<Answer>) => void | Promise<void>>,
): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('This file runs in a worker thread.');
  giveWay();
  const handle = await load();
  port.on('message', (job: Job) =>
    handle(job, (answer, own = []) =>
      port.postMessage({ usedMs: usedMs(), done: { answer } } satisfies ThreadMessage<Answer>, own),
    ),
  );
  port.postMessage({ usedMs: usedMs() } satisfies ThreadMessage<Answer>);
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
