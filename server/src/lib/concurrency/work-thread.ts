import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ThreadMessage } from './serve-jobs.ts';
import { WorkStopped } from './work-stopped.ts';

/** The limits of a thread. */
export interface WorkThreadLimits {
  heapMb: number;
  maxYoungGenerationSizeMb?: number;
  /** The processor time for one job. Loading the thread does not count. */
  processorMs: number;
  /** The time for which the thread is kept without a job. It holds the memory of its last jobs. By default it is kept forever. */
  idleMs?: number;
}

/** By default V8 takes several times the heap of such a thread for short-lived objects. */
const youngGenerationMbDefault = 16;
/** How often a thread that ends while it loads is started again before its job fails. */
const startsMax = 3;

/** The options of a job. */
export interface WorkOptions {
  /** The memory that is transferred to the thread. */
  own?: ArrayBuffer[];
  /** By default, the limit of the thread. */
  processorMs?: number;
}

interface Work<Job, Answer> extends WorkOptions {
  job: Job;
  startsLeft: number;
  resolve(answer: Answer): void;
  reject(error: WorkStopped): void;
}

/**
 * A thread that starts when there is work and does one job at a time, with `serveJobs`. A job that takes too much ends the thread and is
 * given up, and the next job gets a new thread. A job whose thread ends before it is loaded is kept for the next thread.
 */
export class WorkThread<Job, Answer> {
  readonly #file: URL;
  readonly #limits: WorkThreadLimits;
  readonly #queue: Work<Job, Answer>[] = [];
  #worker: Worker | null = null;
  /** The processor time that the thread had used after its last job, or when it was loaded; null if it is not loaded. */
  #usedMs: number | null = null;
  #running: Work<Job, Answer> | null = null;
  #endWatch = () => {};
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(file: URL, limits: WorkThreadLimits) {
    this.#file = file;
    this.#limits = limits;
  }

  /** Starts the thread before there is work. */
  warm(): void {
    if (this.#worker || this.#isClosed) return;
    this.#start().unref();
  }

  /** Runs a job. @throws WorkStopped if it takes too much memory or processor time, fails, or could not be run. */
  run(job: Job, options: WorkOptions = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new WorkStopped('closed'));
      this.#queue.push({ job, ...options, startsLeft: startsMax, resolve, reject });
      if (!this.#running) this.#next();
    });
  }

  /** Ends the thread and gives up its unfinished jobs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    const left = [...(this.#running ? [this.#running] : []), ...this.#queue.splice(0)];
    this.#running = null;
    for (const { reject } of left) reject(new WorkStopped('closed'));
    await this.#stop();
  }

  #next(): void {
    clearTimeout(this.#idle);
    this.#running = this.#queue.shift() ?? null;
    if (this.#running) {
      this.#go();
      return;
    }
    // An idle thread does not keep the process alive.
    this.#worker?.unref();
    const { idleMs } = this.#limits;
    if (idleMs !== undefined) this.#idle = setTimeout(() => void this.#stop(), idleMs).unref();
  }

  /** Gives the current job to the thread, and starts a thread first if there is none. */
  #go(): void {
    const worker = this.#worker ?? this.#start();
    const work = this.#running;
    worker.ref();
    if (!work || this.#usedMs === null) return;
    const { job, own, processorMs = this.#limits.processorMs } = work;
    this.#watch(worker, this.#usedMs, processorMs);
    worker.postMessage(job, own);
  }

  #start(): Worker {
    const { heapMb, maxYoungGenerationSizeMb = youngGenerationMbDefault } = this.#limits;
    const worker = new Worker(this.#file, {
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb },
      env: threadEnvironment(),
    });
    this.#worker = worker;
    this.#watch(worker, 0, Number.POSITIVE_INFINITY);
    worker.on('message', (message: ThreadMessage<Answer>) => this.#receive(worker, message));
    worker.on('error', (cause: Error & { code?: string }) => {
      const reason = cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'error';
      this.#giveUp(worker, new WorkStopped(reason, { cause }));
    });
    worker.on('exit', () => this.#giveUp(worker, new WorkStopped('error')));
    return worker;
  }

  #watch(worker: Worker, fromMs: number, limitMs: number): void {
    this.#endWatch();
    const read = async () => {
      const { user, system } = await worker.cpuUsage();
      return (user + system) / 1_000;
    };
    this.#endWatch = watchProcessor(read, { fromMs, limitMs }, (reason) =>
      this.#giveUp(worker, new WorkStopped(reason)),
    );
  }

  #receive(worker: Worker, { usedMs, done }: ThreadMessage<Answer>): void {
    if (worker !== this.#worker) return;
    this.#endWatch();
    this.#usedMs = usedMs;
    if (!done) {
      if (this.#running) this.#go();
      return;
    }
    const work = this.#running;
    this.#next();
    work?.resolve(done.answer);
  }

  /** Gives up the thread, and its current job unless it was still loading. */
  #giveUp(worker: Worker, error: WorkStopped): void {
    if (worker !== this.#worker) return;
    const wasLoaded = this.#usedMs !== null;
    void this.#stop();
    const work = this.#running;
    if (work && !wasLoaded && --work.startsLeft > 0) {
      this.#go();
      return;
    }
    work?.reject(wasLoaded ? error : new WorkStopped('not_started', { cause: error }));
    this.#next();
  }

  async #stop(): Promise<void> {
    this.#endWatch();
    const worker = this.#worker;
    this.#worker = null;
    this.#usedMs = null;
    await worker?.terminate();
  }
}

/**
 * Returns an environment with nothing from this process except the folder of compiled code. With it, a thread starts sooner and takes 10 MB
 * less.
 */
function threadEnvironment(): Record<string, string> {
  const folder = getCompileCacheDir();
  // The folder in use is that of this version of Node, inside the configured one.
  return folder ? { NODE_COMPILE_CACHE: dirname(folder) } : {};
}

/** The reason why work was stopped: it used up its own processor time, or nothing came of it for minutes, whatever the cause. */
export type Overdue = 'processor_time' | 'hung';

/** The processor time that a thread or a process has used so far, in ms; null where it is not known. */
export type ReadProcessorMs = () => Promise<number | null>;

const lookEveryMs = 250;
/** Work hangs that uses less than `progressMs` of processor time for this long. A busy machine gives it more. */
const hungMs = 120_000;
const progressMs = 20;

/**
 * Calls `stop` once the work has used more than `limitMs` of processor time since `fromMs`, or hangs. Returns a function that ends the
 * watch.
 *
 * Elapsed time does not count, because a busy machine makes any work take long. Hanging is counted in checks, so a process that was
 * suspended meanwhile has missed one check, however long it was. A check without a response is one without progress.
 */
export function watchProcessor(
  read: ReadProcessorMs,
  { fromMs, limitMs }: { fromMs: number; limitMs: number },
  stop: (reason: Overdue) => void,
): () => void {
  const everyMs = Math.min(lookEveryMs, limitMs);
  let isAsking = false;
  let isEnded = false;
  let lastMs = fromMs;
  let stillMs = 0;
  const end = () => {
    isEnded = true;
    clearInterval(timer);
  };
  const overdue = (reason: Overdue) => {
    if (isEnded) return;
    end();
    stop(reason);
  };
  const take = (usedMs: number | null) => {
    isAsking = false;
    if (usedMs === null) return;
    if (usedMs - fromMs > limitMs) return overdue('processor_time');
    if (usedMs - lastMs < progressMs) return;
    lastMs = usedMs;
    stillMs = 0;
  };
  const look = () => {
    stillMs += everyMs;
    if (stillMs > hungMs) return overdue('hung');
    if (isAsking) return;
    isAsking = true;
    read().then(take, () => take(null));
  };
  const timer = setInterval(look, everyMs);
  return end;
}
