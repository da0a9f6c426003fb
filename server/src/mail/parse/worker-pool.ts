import { Worker } from 'node:worker_threads';
import { FairQueue } from '../../lib/concurrency/fair-queue.ts';
import { threadEnvironment } from '../../lib/concurrency/work-thread.ts';
import type { WorkerRequest, WorkerResponse, WorkerResult, WorkerTask } from './parse-worker.ts';

/** The reason why a mail was given up. */
export type StopReason = 'timeout' | 'memory' | 'error';

/** A mail with its task, and callbacks for the result. Exactly one of the two is called, once. */
export interface Job {
  raw: Buffer;
  task: WorkerTask;
  /** The owner whose turn it takes. If many jobs are waiting, the owners take turns. */
  owner: string;
  done(result: WorkerResult): void;
  failed(reason: StopReason, detail: string): void;
}

/** The number of threads, and the limits for one mail. */
export interface PoolLimits {
  workers: number;
  timeoutMs: number;
  heapMb: number;
}

/** A job with its number in the order of arrival. */
interface Waiting {
  job: Job;
  number: number;
}

interface Thread {
  worker: Worker;
  ready: boolean;
  /** The jobs that it has not finished; empty if it is idle. */
  jobs: Job[];
  timer: NodeJS.Timeout | undefined;
}

const timeoutPerMib = 1 / 20;
/** Loading the parser takes 0.2 s. A thread that takes this long will never start. */
const startTimeoutMs = 30_000;
/** The size above which a mail is large. Large mails may not take all threads while small ones wait. */
const largeBytes = 262_144;
/** The maximum number of small mails that a thread gets at once, and the size up to which they are that small. */
const jobsTogetherMax = 8;
const togetherBytesMax = 32_768;
const closed = 'The parser is closed.';

/** Threads that handle mail. They start when they are needed, keep running, and are replaced if they had to be stopped. */
export class WorkerPool {
  readonly #limits: PoolLimits;
  readonly #threads = new Set<Thread>();
  /** Jobs that shared a thread that had to be stopped. Each is tried first and alone, to find out which one caused it. */
  readonly #again: Job[] = [];
  readonly #small = new FairQueue<Waiting>();
  readonly #large = new FairQueue<Waiting>();
  #arrivals = 0;
  #closed = false;

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  /** Adds a mail, which is handled once a thread is free. */
  add(job: Job): void {
    if (this.#closed) {
      job.failed('error', closed);
      return;
    }
    this.#wait(job);
    this.#assign();
  }

  /** Starts a thread if there is none. */
  warm(): void {
    if (!this.#closed && this.#threads.size === 0) this.#start();
  }

  /** Stops all threads. Unfinished jobs fail. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#takeAll()) job.failed('error', closed);
    await Promise.all([...this.#threads].map((thread) => this.#stop(thread, 'error', closed)));
  }

  #assign(): void {
    for (;;) {
      const idle = [...this.#threads].find(({ jobs }) => jobs.length === 0);
      if (!idle && this.#threads.size >= this.#limits.workers) return;
      const jobs = this.#nextJobs();
      if (jobs.length === 0) return;
      const thread = idle ?? this.#start();
      thread.jobs = jobs;
      // An idle thread does not keep the process alive, but one with a mail to read does.
      thread.worker.ref();
      if (thread.ready) this.#send(thread);
    }
  }

  /**
   * Returns the next jobs to run. With several threads, one of them is always left to small mail. If many small mails are waiting, the next
   * ones go along with the first, since handing over one costs as much as handing over a few.
   */
  #nextJobs(): Job[] {
    const again = this.#again.shift();
    if (again) return [again];
    const largeRunning = [...this.#threads].filter(({ jobs }) => jobs.some(isLarge)).length;
    const mayLarge = largeRunning < Math.max(1, this.#limits.workers - 1);
    const large = mayLarge ? this.#large.peek() : undefined;
    const small = this.#small.peek();
    if (large && (!small || large.number < small.number)) return [this.#large.shift()!.job];
    const first = this.#small.shift()?.job;
    if (!first) return [];
    const share = Math.min(jobsTogetherMax, Math.ceil((this.#small.length + 1) / this.#limits.workers));
    const jobs = [first];
    while (jobs.length < share && this.#goTogether(first, this.#small.peek()?.job))
      jobs.push(this.#small.shift()!.job);
    return jobs;
  }

  #wait(job: Job): void {
    this.#arrivals += 1;
    (isLarge(job) ? this.#large : this.#small).push(job.owner, { job, number: this.#arrivals });
  }

  #takeAll(): Job[] {
    const jobs = this.#again.splice(0);
    for (const queue of [this.#small, this.#large])
      for (let next = queue.shift(); next; next = queue.shift()) jobs.push(next.job);
    return jobs;
  }

  #goTogether(...jobs: (Job | undefined)[]): boolean {
    return jobs.every((job) => job && job.raw.length <= togetherBytesMax);
  }

  #start(): Thread {
    const worker = new Worker(workerUrl(), {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb, maxYoungGenerationSizeMb: 32 },
      env: threadEnvironment(),
      name: 'mail-parser',
    });
    const thread: Thread = { worker, ready: false, jobs: [], timer: undefined };
    this.#threads.add(thread);
    thread.timer = setTimeout(() => {
      void this.#stop(thread, 'timeout', 'The thread did not start.');
    }, startTimeoutMs).unref();
    worker.on('message', (response: WorkerResponse) => this.#receive(thread, response));
    worker.on('error', (error: Error & { code?: string }) => {
      const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      void this.#stop(thread, outOfMemory ? 'memory' : 'error', error.message);
    });
    worker.on('exit', () => void this.#stop(thread, 'error', 'The thread ended.'));
    worker.unref();
    return thread;
  }

  #receive(thread: Thread, response: WorkerResponse): void {
    clearTimeout(thread.timer);
    if ('ready' in response) {
      thread.ready = true;
      if (thread.jobs.length > 0) this.#send(thread);
      return;
    }
    const { jobs } = thread;
    thread.jobs = [];
    thread.worker.unref();
    this.#assign();
    for (const [index, job] of jobs.entries()) job.done(response.results[index] ?? null);
  }

  #send(thread: Thread): void {
    const bytes = thread.jobs.reduce((sum, { raw }) => sum + raw.length, 0);
    const timeMs = Math.round(this.#limits.timeoutMs * (1 + (bytes / 1_048_576) * timeoutPerMib));
    thread.timer = setTimeout(() => {
      void this.#stop(thread, 'timeout', `The mail took more than ${timeMs} ms.`);
    }, timeMs);
    // The thread gets a copy of its own, because the caller still uses the original.
    const requests: WorkerRequest[] = thread.jobs.map(({ raw, task }) => ({
      raw: new Uint8Array(raw),
      task,
    }));
    thread.worker.postMessage(
      requests,
      requests.map(({ raw }) => raw.buffer as ArrayBuffer),
    );
  }

  async #stop(thread: Thread, reason: StopReason, detail: string): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.timer);
    const { jobs } = thread;
    thread.jobs = [];
    if (jobs.length > 1 && !this.#closed) {
      this.#again.unshift(...jobs);
    } else for (const job of jobs) job.failed(reason, detail);
    await thread.worker.terminate();
    if (!this.#closed) this.#assign();
  }
}

function isLarge({ raw }: Job): boolean {
  return raw.length > largeBytes;
}

/** Returns the URL of the worker in this folder, which is TypeScript in the workspace and JavaScript in a build. */
function workerUrl(): URL {
  return new URL(
    import.meta.url.endsWith('.ts') ? './parse-worker.ts' : './parse-worker.js',
    import.meta.url,
  );
}
