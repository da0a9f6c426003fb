/*
 * Reads mail in worker threads. One crafted message of a megabyte can keep a parser busy for a quarter of a minute; here it
 * costs one thread its life and the mail its body. A thread has a limit of memory, a mail a limit of time; whoever exceeds
 * one is stopped, and the mail is read as far as its header says, so that it can be stored all the same.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ParseRequest, ParseResponse } from './parse-worker.ts';
import type { ParsedMail, ParseFailure, ParseOptions } from './parsed-mail.ts';

/** A reader of raw mail. */
export interface MailParser {
  /** Reads a mail; never rejects. The bytes stay the caller's. */
  parse(raw: Buffer, options?: ParseOptions): Promise<ParsedMail | ParseFailure>;
  /** Starts a thread now, so that the first mail need not wait for it. */
  warm(): void;
  /** Stops all threads; mail that is not read by then gives its header. */
  close(): Promise<void>;
}

/** How many threads read mail, and how much one mail may take. */
export interface ParserOptions {
  workers?: number;
  /** For a small mail; every MiB adds a twentieth of it. */
  timeoutMs?: number;
  heapMb?: number;
}

/**
 * A 10 MB mail takes 65 ms and the slowest honest one under 300 ms, so two seconds leave room for a busy machine, and a
 * sender of hostile mail holds up a thread for no longer than that.
 */
const timeoutMsDefault = 2_000;
const timeoutPerMib = 1 / 20;
const heapMbDefault = 256;
/** Loading the parser takes 0.2 s; a thread that takes this long will never come. */
const startTimeoutMs = 30_000;
/** From here on a mail counts as large, and large ones may not take all threads while small ones wait. */
const largeBytes = 262_144;

interface Job {
  raw: Buffer;
  options: ParseOptions;
  resolve(result: ParsedMail | ParseFailure): void;
}

interface Thread {
  worker: Worker;
  ready: boolean;
  job: Job | null;
  timer: NodeJS.Timeout | undefined;
}

/** A parser with its own threads, which start when they are needed and stay. */
export function createMailParser(options: ParserOptions = {}): MailParser {
  const pool = new ParsePool({
    workers: Math.max(1, options.workers ?? Math.min(2, availableParallelism())),
    timeoutMs: options.timeoutMs ?? timeoutMsDefault,
    heapMb: options.heapMb ?? heapMbDefault,
  });
  return {
    parse: (raw, parseOptions = {}) => pool.parse(raw, parseOptions),
    warm: () => pool.warm(),
    close: () => pool.close(),
  };
}

class ParsePool {
  readonly #options: Required<ParserOptions>;
  readonly #threads = new Set<Thread>();
  readonly #queue: Job[] = [];
  #closed = false;

  constructor(options: Required<ParserOptions>) {
    this.#options = options;
  }

  parse(raw: Buffer, options: ParseOptions): Promise<ParsedMail | ParseFailure> {
    return new Promise((resolve) => {
      const job: Job = { raw, options, resolve };
      if (this.#closed) return void giveUp(job, 'error', 'The parser is closed.');
      this.#queue.push(job);
      this.#assign();
    });
  }

  warm(): void {
    if (!this.#closed && this.#threads.size === 0) this.#start();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const waiting = this.#queue.splice(0);
    for (const job of waiting) giveUp(job, 'error', 'The parser is closed.');
    await Promise.all(
      [...this.#threads].map((thread) => this.#stop(thread, 'error', 'The parser is closed.')),
    );
  }

  #assign(): void {
    for (;;) {
      const idle = [...this.#threads].find(({ job }) => job === null);
      if (!idle && this.#threads.size >= this.#options.workers) return;
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
    const largeMax = Math.max(1, this.#options.workers - 1);
    const index = this.#queue.findIndex((job) => largeRunning < largeMax || !isLarge(job));
    return index < 0 ? undefined : this.#queue.splice(index, 1)[0];
  }

  #start(): Thread {
    const worker = new Worker(workerUrl(), {
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMb, maxYoungGenerationSizeMb: 32 },
      env: {},
      name: 'mail-parser',
    });
    const thread: Thread = { worker, ready: false, job: null, timer: undefined };
    this.#threads.add(thread);
    thread.timer = setTimeout(
      () => void this.#stop(thread, 'timeout', 'The thread did not start.'),
      startTimeoutMs,
    ).unref();
    worker.on('message', (response: ParseResponse) => this.#receive(thread, response));
    worker.on('error', (error: Error & { code?: string }) => {
      const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      void this.#stop(thread, outOfMemory ? 'memory' : 'error', error.message);
    });
    worker.on('exit', () => void this.#stop(thread, 'error', 'The thread ended.'));
    worker.unref();
    return thread;
  }

  #receive(thread: Thread, response: ParseResponse): void {
    clearTimeout(thread.timer);
    if ('ready' in response) {
      thread.ready = true;
      if (thread.job) this.#send(thread, thread.job);
      return;
    }
    const { job } = thread;
    thread.job = null;
    thread.worker.unref();
    job?.resolve(withBuffers(response.result));
    this.#assign();
  }

  #send(thread: Thread, job: Job): void {
    const timeMs = this.#options.timeoutMs * (1 + (job.raw.length / 1_048_576) * timeoutPerMib);
    thread.timer = setTimeout(
      () => void this.#stop(thread, 'timeout', `Reading took more than ${Math.round(timeMs)} ms.`),
      timeMs,
    );
    // One copy that the thread owns; the caller goes on using its own.
    const raw = new Uint8Array(job.raw);
    const request: ParseRequest = { raw, options: job.options };
    thread.worker.postMessage(request, [raw.buffer]);
  }

  async #stop(thread: Thread, failed: ParseFailure['failed'], detail: string): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.timer);
    const { job } = thread;
    thread.job = null;
    if (job) giveUp(job, failed, detail);
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

function giveUp({ raw, options, resolve }: Job, failed: ParseFailure['failed'], detail: string): void {
  // What reads headers is loaded in the thread that needs it least often.
  void import('./parse-mail.ts').then(({ parseHeaderOnly }) =>
    resolve({ failed, detail, mail: parseHeaderOnly(raw, options) }),
  );
}

/** Buffers arrive from a thread as plain byte arrays over the same memory. */
function withBuffers(result: ParsedMail | ParseFailure): ParsedMail | ParseFailure {
  const { attachments } = 'failed' in result ? result.mail : result;
  for (const attachment of attachments) {
    const { content } = attachment;
    if (content) attachment.content = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  }
  return result;
}
