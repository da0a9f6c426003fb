/* Runs in the worker threads of `WorkThread`. */

import { constants, getPriority, setPriority } from 'node:os';
import { isMainThread, parentPort } from 'node:worker_threads';

/** Added to the nice value, so that such a thread gets about a third of a processor that the other thread also needs. */
const niceness = 5;

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

/**
 * Gives the calling worker thread a lower priority than the thread that serves requests, for when both need the same processor. Only Linux
 * has priorities of threads. Elsewhere this would change the priority of the process, so nothing is done.
 */
function giveWay(): void {
  if (isMainThread || process.platform !== 'linux') return;
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness));
  } catch {
    // Without the permission to lower its priority, the thread keeps the one that it has.
  }
}
