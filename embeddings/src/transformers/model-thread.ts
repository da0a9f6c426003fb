import { Worker } from 'node:worker_threads';
import { ModelError } from '../local-model.ts';
import type { ModelPlace, ThreadAnswer } from './transformers-worker.ts';

const heapMb = 1_024;
/** A thread without work ends after this, because the model takes much memory. */
const idleMs = 600_000;
const lookEveryMs = 250;
/** The processor time that some texts may take. The clock decides nothing, because a busy machine makes any work take long. */
const processorMsMax = 120_000;
/** Texts hang if this many looks in a row see less than `progressMs` of processor time. */
const stillLooksMax = 480;
const progressMs = 20;

interface Work {
  texts: string[];
  resolve(numbers: Float32Array): void;
  reject(error: Error): void;
}

/**
 * A thread that starts when there are texts, loads the model and embeds one batch at a time. A batch that takes too long, or that ends the
 * thread, is given up, and the next one gets a new thread.
 */
export class ModelThread {
  readonly #place: ModelPlace;
  readonly #waiting: Work[] = [];
  #worker: Worker | null = null;
  #running: Work | null = null;
  #endWatch = () => {};
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(place: ModelPlace) {
    this.#place = place;
  }

  /**
   * Returns the numbers of all vectors one after another.
   *
   * @throws ModelError if the model cannot be loaded, or the texts cannot be embedded.
   */
  embed(texts: string[]): Promise<Float32Array> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(closed());
      this.#waiting.push({ texts, resolve, reject });
      if (!this.#running) this.#next();
    });
  }

  /** Ends the thread and gives up its unfinished texts. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const left = [...(this.#running ? [this.#running] : []), ...this.#waiting.splice(0)];
    this.#running = null;
    for (const { reject } of left) reject(closed());
    await this.#end();
  }

  #next(): void {
    clearTimeout(this.#idle);
    this.#running = this.#waiting.shift() ?? null;
    if (!this.#running) {
      // An idle thread does not keep the process alive.
      this.#worker?.unref();
      this.#idle = setTimeout(() => void this.#end(), idleMs).unref();
      return;
    }
    const worker = this.#worker ?? this.#start();
    worker.ref();
    this.#endWatch = watch(worker, (reason) => this.#giveUp(worker, reason));
    worker.postMessage(this.#running.texts);
  }

  #start(): Worker {
    // Nothing of the environment, such as keys, is for a model.
    const options = { workerData: this.#place, env: {}, resourceLimits: { maxOldGenerationSizeMb: heapMb } };
    const worker = new Worker(workerUrl(), options);
    worker.on('message', (answer: ThreadAnswer) => this.#receive(worker, answer));
    worker.on('error', (error) => this.#giveUp(worker, error.message, error));
    worker.on('exit', () => this.#giveUp(worker, 'it ended'));
    this.#worker = worker;
    return worker;
  }

  #receive(worker: Worker, answer: ThreadAnswer): void {
    if (worker !== this.#worker) return;
    this.#endWatch();
    const work = this.#running;
    this.#next();
    if ('problem' in answer) work?.reject(new ModelError(answer.problem, { mayPass: false }));
    else work?.resolve(answer.numbers);
  }

  /** Gives up the thread and its current texts. */
  #giveUp(worker: Worker, reason: string, cause?: Error): void {
    if (worker !== this.#worker) return;
    void this.#end();
    const work = this.#running;
    this.#next();
    work?.reject(new ModelError(`The thread of the model was stopped: ${reason}.`, { mayPass: true, cause }));
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    this.#endWatch();
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

function closed(): ModelError {
  return new ModelError('The model was closed.', { mayPass: false });
}

/** Calls `stop` once a thread has used too much processor time from now on, or hangs. Returns a function that ends the watch. */
function watch(worker: Worker, stop: (reason: string) => void): () => void {
  let firstMs: number | null = null;
  let lastMs = 0;
  let stillLooks = 0;
  const take = (usedMs: number) => {
    firstMs ??= usedMs;
    if (usedMs - firstMs > processorMsMax) stop('it used too much processor time');
    if (usedMs - lastMs < progressMs) return;
    lastMs = usedMs;
    stillLooks = 0;
  };
  const timer = setInterval(() => {
    stillLooks += 1;
    if (stillLooks > stillLooksMax) return stop('it hangs');
    // A thread that does not run yet has no processor time to tell.
    worker.cpuUsage().then(
      ({ user, system }) => take((user + system) / 1_000),
      () => {},
    );
  }, lookEveryMs);
  return () => clearInterval(timer);
}

/** Returns the URL of the worker beside this file, which is TypeScript in the workspace and JavaScript in a build. */
function workerUrl(): URL {
  const name = import.meta.url.endsWith('.ts') ? './transformers-worker.ts' : './transformers-worker.js';
  return new URL(name, import.meta.url);
}
