import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type ApiError, unavailable } from '../api-error.ts';

/** What a thread may take. */
export interface WorkThreadLimits {
  heapMb: number;
  /** For one job. */
  timeoutMs: number;
  /** How long it is kept without a job: it holds the memory of the last ones. */
  idleMs: number;
}

/** What V8 takes for short-lived objects unless it is told otherwise is several times the heap of such a thread. */
const maxYoungGenerationSizeMb = 16;

/** Why a job was given up. */
export class WorkStopped extends Error {
  readonly reason: 'memory' | 'timeout' | 'error' | 'closed';

  constructor(reason: WorkStopped['reason'], options: ErrorOptions = {}) {
    super(`The thread was stopped: ${reason}.`, options);
    this.reason = reason;
  }
}

/**
 * The answer to a request whose job was given up: what takes too much memory is too large, and what takes too long may be sent again.
 * Another error, and a job that failed by itself, stay as they are.
 */
export const answerToStopped = (error: unknown, tooLarge: () => ApiError): unknown => {
  if (!(error instanceof WorkStopped) || error.reason === 'error') return error;
  return error.reason === 'memory' ? tooLarge() : unavailable(error);
};

interface Work<Job, Answer> {
  job: Job;
  own: ArrayBuffer[];
  resolve(answer: Answer): void;
  reject(error: WorkStopped): void;
}

/**
 * A thread that starts when there is work and does one job after the other: it hears each as a message and answers with one. A job
 * that takes too much ends the thread and is given up, and the next one has another thread.
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
   * Has a job done; the memory of `own` is given away with it.
   *
   * @throws WorkStopped when it takes too much memory or time, fails, or the thread is closed.
   */
  run(job: Job, own: ArrayBuffer[] = []): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new WorkStopped('closed'));
      this.#queue.push({ job, own, resolve, reject });
      if (!this.#running) this.#next();
    });
  }

  /** Ends the thread; what it has not done is given up. */
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

  /** Gives up the job that the thread has, and the thread with it. */
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

/** Nothing of this process's own, only where compiled code is kept: with it, a thread starts sooner and takes 10 MB less. */
export const threadEnvironment = (): Record<string, string> => {
  const folder = getCompileCacheDir();
  // The folder in use is that of this version of Node, below the one that is asked for.
  return folder ? { NODE_COMPILE_CACHE: dirname(folder) } : {};
};
