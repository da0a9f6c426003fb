/*
 * Large bodies become objects in a thread: to take over the finished object of 10 MB holds up the event loop for some 10 ms, a
 * third of what it costs to make it there. The thread has a limit of memory and one of time; a body that exceeds one ends the
 * thread, and the next body has another.
 */
import { Worker } from 'node:worker_threads';
import { limits } from '@postrider/contract';
import { ApiError } from '../lib/api-error.ts';
import type { JsonWorkerAnswer } from './json-worker.ts';

/** What the thread may take. */
export interface JsonThreadLimits {
  /** A body of 10.5 MB takes up to 42 MB: its text and its values, at two bytes a character. */
  heapMb: number;
  timeoutMs: number;
  /** How long it is kept without a body: it holds the memory of the last ones. */
  idleMs: number;
}

/** The limits of a thread that is told nothing else. */
export const jsonThreadLimits: JsonThreadLimits = { heapMb: 128, timeoutMs: 10_000, idleMs: 10_000 };

interface Job {
  bytes: Buffer;
  resolve(value: unknown): void;
  reject(error: ApiError): void;
}

/** A thread that starts when there is a body and parses one after the other. */
export class JsonThread {
  readonly #limits: JsonThreadLimits;
  readonly #queue: Job[] = [];
  #worker: Worker | null = null;
  #running: Job | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: JsonThreadLimits = jsonThreadLimits) {
    this.#limits = options;
  }

  /**
   * What a body says. Its memory is given away.
   *
   * @throws ApiError `malformed_json` when it is not JSON, `payload_too_large` when it takes too much memory, `unavailable` when
   * it takes too long.
   */
  parse(bytes: Buffer): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(unavailable());
      this.#queue.push({ bytes, resolve, reject });
      if (!this.#running) this.#next();
    });
  }

  /** Ends the thread; what it has not parsed is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const job of this.#queue.splice(0)) job.reject(unavailable());
    this.#running?.reject(unavailable());
    this.#running = null;
    await this.#stop();
  }

  #next(): void {
    clearTimeout(this.#timer);
    this.#running = this.#queue.shift() ?? null;
    if (!this.#running) {
      this.#worker?.unref();
      this.#timer = setTimeout(() => void this.#stop(), this.#limits.idleMs).unref();
      return;
    }
    const { bytes } = this.#running;
    const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#timer = setTimeout(() => this.#giveUp(this.#worker, unavailable()), this.#limits.timeoutMs);
    this.#worker.postMessage(own, [own.buffer as ArrayBuffer]);
  }

  #start(): Worker {
    const worker = new Worker(workerUrl(), {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb },
      env: {},
      name: 'json-reader',
    });
    worker.on('message', (answer: JsonWorkerAnswer) => {
      if (worker === this.#worker) this.#receive(answer);
    });
    worker.on('error', (error: Error & { code?: string }) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#giveUp(worker, isMemory ? tooLarge() : unavailable(error));
    });
    worker.on('exit', () => this.#giveUp(worker, unavailable()));
    return worker;
  }

  #receive(answer: JsonWorkerAnswer): void {
    const job = this.#running;
    this.#next();
    if ('malformed' in answer) job?.reject(new ApiError('malformed_json'));
    else job?.resolve(answer.value);
  }

  /** Gives up the body that the thread has, and the thread with it. */
  #giveUp(worker: Worker | null, error: ApiError): void {
    if (worker === null || worker !== this.#worker) return;
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

const unavailable = (cause?: unknown): ApiError =>
  new ApiError('unavailable', {}, { cause, headers: { 'retry-after': '2' } });

const tooLarge = (): ApiError =>
  new ApiError('payload_too_large', { limit_bytes: limits.requestBesideAttachmentsBytesMax });

/** The worker beside this file, which is TypeScript in the workspace and JavaScript where it was built. */
const workerUrl = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './json-worker.ts' : './json-worker.js', import.meta.url);
