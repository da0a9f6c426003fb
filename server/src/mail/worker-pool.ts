import { Worker } from 'node:worker_threads';
import type { WorkerRequest, WorkerResponse, WorkerResult, WorkerTask } from './parse-worker.ts';

/** Why a mail was given up. */
export type StopReason = 'timeout' | 'memory' | 'error';

/** A mail with what is to be done with it, and who wants to know. Exactly one of the two is called, once. */
export interface Job {
  raw: Buffer;
  task: WorkerTask;
  done(result: WorkerResult): void;
  failed(reason: StopReason, detail: string): void;
}

/** How many threads there are, and what one mail may take. */
export interface PoolLimits {
  workers: number;
  timeoutMs: number;
  heapMb: number;
}

interface Thread {
  worker: Worker;
  ready: boolean;
  job: Job | null;
  timer: NodeJS.Timeout | undefined;
}

const timeoutPerMib = 1 / 20;
/** Loading the parser takes 0.2 s; a thread that takes this long will never come. */
const startTimeoutMs = 30_000;
/** From here on a mail counts as large, and large ones may not take all threads while small ones wait. */
const largeBytes = 262_144;
const closed = 'The parser is closed.';

/** Threads that handle one mail each, start when they are needed, stay, and are replaced when they had to be stopped. */
export class WorkerPool {
  readonly #limits: PoolLimits;
  readonly #threads = new Set<Thread>();
  readonly #queue: Job[] = [];
  #closed = false;

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  /** Has a mail handled when a thread is free. */
  add(job: Job): void {
    if (this.#closed) {
      job.failed('error', closed);
      return;
    }
    this.#queue.push(job);
    this.#assign();
  }

  /** Starts a thread if there is none. */
  warm(): void {
    if (!this.#closed && this.#threads.size === 0) this.#start();
  }

  /** Stops all threads; what was not done has failed. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) job.failed('error', closed);
    await Promise.all([...this.#threads].map((thread) => this.#stop(thread, 'error', closed)));
  }

  #assign(): void {
    for (;;) {
      const idle = [...this.#threads].find(({ job }) => job === null);
      if (!idle && this.#threads.size >= this.#limits.workers) return;
      const job = this.#nextJob();
      if (!job) return;
      const thread = idle ?? this.#start();
      thread.job = job;
      // An idle thread does not keep the process alive; one with a mail to read does.
      thread.worker.ref();
      if (thread.ready) this.#send(thread, job);
    }
  }

  /** The oldest job that may run: with several threads, one of them is always left to small mail. */
  #nextJob(): Job | undefined {
    const largeRunning = [...this.#threads].filter(({ job }) => job !== null && isLarge(job)).length;
    const largeMax = Math.max(1, this.#limits.workers - 1);
    const index = this.#queue.findIndex((job) => largeRunning < largeMax || !isLarge(job));
    return index < 0 ? undefined : this.#queue.splice(index, 1)[0];
  }

  #start(): Thread {
    const worker = new Worker(workerUrl(), {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb, maxYoungGenerationSizeMb: 32 },
      env: {},
      name: 'mail-parser',
    });
    const thread: Thread = { worker, ready: false, job: null, timer: undefined };
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
    const { job } = thread;
    if ('ready' in response) {
      thread.ready = true;
      if (job) this.#send(thread, job);
      return;
    }
    thread.job = null;
    thread.worker.unref();
    job?.done(response.result);
    this.#assign();
  }

  #send(thread: Thread, { raw, task }: Job): void {
    const timeMs = Math.round(this.#limits.timeoutMs * (1 + (raw.length / 1_048_576) * timeoutPerMib));
    thread.timer = setTimeout(() => {
      void this.#stop(thread, 'timeout', `The mail took more than ${timeMs} ms.`);
    }, timeMs);
    // One copy that the thread owns; the caller goes on using its own.
    const request: WorkerRequest = { raw: new Uint8Array(raw), task };
    thread.worker.postMessage(request, [request.raw.buffer as ArrayBuffer]);
  }

  async #stop(thread: Thread, reason: StopReason, detail: string): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.timer);
    const { job } = thread;
    thread.job = null;
    job?.failed(reason, detail);
    await thread.worker.terminate();
    if (!this.#closed) this.#assign();
  }
}

function isLarge({ raw }: Job): boolean {
  return raw.length > largeBytes;
}

/** The worker beside this file, which is TypeScript in the workspace and JavaScript where it was built. */
function workerUrl(): URL {
  return new URL(
    import.meta.url.endsWith('.ts') ? './parse-worker.ts' : './parse-worker.js',
    import.meta.url,
  );
}
