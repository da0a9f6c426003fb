import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type ApiError, unavailable } from '../api-error.ts';

/** The limits of a thread. */
export interface WorkThreadLimits {
  heapMb: number;
  /** For one job. */
  timeoutMs: number;
  /** How long the thread is kept without a job, because it holds the memory of its last jobs. */
  idleMs: number;
}

/** By default V8 takes several times the heap of such a thread for short-lived objects. */
const maxYoungGenerationSizeMb = 16;

/** The error for a job that was given up, with the reason. */
export class WorkStopped extends Error {
  readonly reason: 'memory' | 'timeout' | 'error' | 'closed';

  constructor(reason: WorkStopped['reason'], options: ErrorOptions = {}) {
    super(`The thread was stopped: ${reason}.`, options);
    this.reason = reason;
  }
}

/**
 * Returns the error for a request whose job was given up. A job that took too much memory was too large, and a request whose job took too
 * long may be sent again. Any other error, and that of a job that failed by itself, is returned unchanged.
 */
export function answerToStopped(error: unknown, tooLarge: () => ApiError): unknown {
  if (!(error instanceof WorkStopped) || error.reason === 'error') return error;
  return error.reason === 'memory' ? tooLarge() : unavailable(error);
}

interface Work<Job, Answer> {
  job: Job;
  own: ArrayBuffer[];
  resolve(answer: Answer): void;
  reject(error: WorkStopped): void;
}

/**
 * A thread that starts when there is work and does one job at a time. It gets each job as a message and replies with one. A job that takes
 * too much ends the thread and is given up, and the next job gets a new thread.
 */
export class WorkThread<Job, Answer> {
  readonly #file: URL;
  readonly #limits: WorkThreadLimits;
  readonly #queue: Work<Job, Answer>[] = [];
  #worker: Worker | null = null;
  #running: Work<Job, Answer> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(file: URL, limits: WorkThreadLimits) {
    this.#file = file;
    this.#limits = limits;
  }

  /**
   * Runs a job. The memory of `own` is transferred to the thread.
   *
   * @throws WorkStopped if it takes too much memory or time, fails, or the thread is closed.
   */
  run(job: Job, own: ArrayBuffer[] = []): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new WorkStopped('closed'));
      this.#queue.push({ job, own, resolve, reject });
      if (!this.#running) this.#next();
    });
  }

  /** Ends the thread and gives up its unfinished jobs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const left = [...(this.#running ? [this.#running] : []), ...this.#queue.splice(0)];
    this.#running = null;
    for (const { reject } of left) reject(new WorkStopped('closed'));
    await this.#stop();
  }

  #next(): void {
    clearTimeout(this.#timer);
    this.#running = this.#queue.shift() ?? null;
    if (!this.#running) {
      // An idle thread does not keep the process alive.
      this.#worker?.unref();
      this.#timer = setTimeout(() => void this.#stop(), this.#limits.idleMs).unref();
      return;
    }
    const worker = this.#worker ?? this.#start();
    this.#worker = worker;
    worker.ref();
    this.#timer = setTimeout(() => this.#giveUp(worker, new WorkStopped('timeout')), this.#limits.timeoutMs);
    worker.postMessage(this.#running.job, this.#running.own);
  }

  #start(): Worker {
    const worker = new Worker(this.#file, {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb, maxYoungGenerationSizeMb },
      env: threadEnvironment(),
    });
    worker.on('message', (answer: Answer) => {
      if (worker !== this.#worker) return;
      const done = this.#running;
      this.#next();
      done?.resolve(answer);
    });
    worker.on('error', (cause: Error & { code?: string }) => {
      const reason = cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'error';
      this.#giveUp(worker, new WorkStopped(reason, { cause }));
    });
    worker.on('exit', () => this.#giveUp(worker, new WorkStopped('error')));
    return worker;
  }

  /** Gives up the current job of the thread, and the thread itself. */
  #giveUp(worker: Worker, error: WorkStopped): void {
    if (worker !== this.#worker) return;
    void this.#stop();
    this.#running?.reject(error);
    this.#next();
  }

  async #stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

/**
 * Returns an environment with nothing from this process except the folder of compiled code. With it, a thread starts sooner and takes 10 MB
 * less.
 */
export function threadEnvironment(): Record<string, string> {
  const folder = getCompileCacheDir();
  // The folder in use is that of this version of Node, inside the configured one.
  return folder ? { NODE_COMPILE_CACHE: dirname(folder) } : {};
}
