/*
 * Reads mail in worker threads. One crafted message of a megabyte can keep a parser busy for a quarter of a minute. Here it costs one
 * thread its life, and the mail its body. A thread has a memory limit, and a mail has a limit of processor time. A thread that exceeds one
 * is stopped, and only the header of its mail is read, so that the mail can still be stored.
 *
 * Small mail goes to a thread, too: passing it on costs the main thread 0.08 ms of CPU, and reading 5 KB costs 0.1 to 0.3 ms.
 */
import { availableParallelism } from 'node:os';
import { FairQueue } from '../../lib/admission/fair-queue.ts';
import { WorkStopped } from '../../lib/concurrency/work-stopped.ts';
import { WorkThread } from '../../lib/concurrency/work-thread.ts';
import type { SignatureFindings, SignatureOptions } from '../authenticate/verify-signatures.ts';
import type { ReportScope } from '../reports/read-dmarc-report.ts';
import type { MailReport } from '../reports/read-report.ts';
import { mayReport } from '../reports/report-parts.ts';
import type { ShownMail, ShowOptions } from '../show/render-html-mail.ts';
import type { ReadDmarcReport, WorkerRequest, WorkerResult, WorkerTask } from './parse-worker.ts';
import type { ParsedMail, ParseFailure, ParseOptions, WorkFailure } from './parsed-mail.ts';

/**
 * A reader of raw mail. No call rejects, and the bytes still belong to the caller. If many mails are waiting, the owners take turns, so
 * that the mail of one does not wait for all the mail of another.
 */
export interface MailParser {
  /** With `patienceMs` the mail is given up, with its header, if it is not read that long after the call. */
  parse(
    raw: Buffer,
    options?: ParseOptions,
    owner?: string,
    patienceMs?: number,
  ): Promise<ParsedMail | ParseFailure>;
  /** Checks the signatures with the given keys. Resolves to null if they cannot be checked. With `patienceMs` as `parse`. */
  verifySignatures(
    raw: Buffer,
    signatures: SignatureOptions,
    owner?: string,
    patienceMs?: number,
  ): Promise<SignatureFindings | WorkFailure | null>;
  /** Returns what the mail reports about another one, from its machine-readable parts, or null if it is not a report. */
  readReport(raw: Buffer): Promise<MailReport | WorkFailure | null>;
  /** Returns the DMARC report that a mail brings, counted for each scope, or the reason why it could not be read. */
  readDmarcReport(raw: Buffer, scopes: ReportScope[], owner: string): Promise<ReadDmarcReport | WorkFailure>;
  /** Returns the page of an HTML body. The plain text can be shown if that was given up. */
  showHtml(html: string, options: ShowOptions, owner: string): Promise<ShownMail | WorkFailure>;
  /** Starts a thread now, so that the first mail does not have to wait for it. */
  warm(): void;
  /** Stops all threads. Of mail that is not read by then, only the header is returned. */
  close(): Promise<void>;
}

/** The number of threads, and the limits for one mail. */
export interface ParserOptions {
  workers?: number;
  /** The limit of processor time for a small mail. Each MiB adds a twentieth of it. */
  processorMs?: number;
  heapMb?: number;
}

/** A 10 MB mail takes 65 ms, and the slowest honest mail takes less than 300 ms. A hostile mail cannot hold up a thread for longer. */
const processorMsDefault = 2_000;
const heapMbDefault = 256;

/** Creates a parser with its own threads, which start when they are needed and keep running. */
export function createMailParser(options: ParserOptions = {}): MailParser {
  const pool = new WorkerPool({
    workers: Math.max(1, options.workers ?? Math.min(2, availableParallelism())),
    processorMs: options.processorMs ?? processorMsDefault,
    heapMb: options.heapMb ?? heapMbDefault,
  });
  const run = <T extends WorkerResult>(raw: Buffer, task: WorkerTask, owner = '', patienceMs?: number) =>
    new Promise<T | WorkFailure>((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const settle = (result: T | WorkFailure) => {
        clearTimeout(timer);
        resolve(result);
      };
      const job: Job = {
        raw,
        task,
        owner,
        done: (result) => settle(withBuffers(result) as T),
        failed: ({ reason, message, isFinal }) => settle({ failed: reason, detail: message, isFinal }),
      };
      pool.add(job);
      const giveUp = () => {
        pool.drop(job);
        job.failed(new WorkStopped('late'));
      };
      if (patienceMs !== undefined) timer = setTimeout(giveUp, patienceMs);
    });
  return {
    parse: async (raw, parseOptions = {}, owner = '', patienceMs) => {
      const result = await run<ParsedMail | ParseFailure>(raw, { options: parseOptions }, owner, patienceMs);
      if (!('failed' in result) || 'mail' in result) return result;
      // The code for headers is loaded into this thread only once a thread could not read a mail.
      const { parseHeaderOnly } = await import('./parse-mail.ts');
      return { ...result, mail: parseHeaderOnly(raw, parseOptions) };
    },
    verifySignatures: (raw, signatures, owner, patienceMs) =>
      run<SignatureFindings | null>(raw, { signatures }, owner, patienceMs),
    // Reading the header here saves copying most mail to a thread.
    readReport: async (raw) => (mayReport(raw) ? run<MailReport | null>(raw, { report: true }) : null),
    readDmarcReport: (raw, scopes, owner) => run<ReadDmarcReport>(raw, { reportOn: scopes }, owner),
    showHtml: (html, show, owner) => run<ShownMail>(Buffer.from(html), { show }, owner),
    warm: () => pool.warm(),
    close: () => pool.close(),
  };
}

/** A mail with its task, and callbacks for the result. Exactly one of the two is called, once, unless the job is dropped. */
interface Job {
  raw: Buffer;
  task: WorkerTask;
  /** The owner whose turn it uses. If many jobs are waiting, the owners take turns. */
  owner: string;
  done(result: WorkerResult): void;
  /** Called if the mail was given up. It then had a thread to itself, or none. */
  failed(error: WorkStopped): void;
}

/** A job with its number in the order of arrival. */
type Waiting = Job & { number: number };

interface Thread {
  thread: WorkThread<WorkerRequest[], WorkerResult[]>;
  /** The jobs that it has not finished; empty if it is idle. */
  jobs: Job[];
}

const processorSharePerMib = 1 / 20;
const maxYoungGenerationSizeMb = 32;
/** The size above which a mail is large. Large mails cannot occupy all threads while small ones wait. */
const largeBytes = 262_144;
/** The maximum number of small mails that a thread gets at once, and the size up to which they are that small. */
const jobsTogetherMax = 8;
const togetherBytesMax = 32_768;

/** Threads that handle mail. They start when they are needed, keep running, and are replaced if they had to be stopped. */
class WorkerPool {
  readonly #limits: Required<ParserOptions>;
  readonly #threads: Thread[] = [];
  /** Jobs that shared a thread that had to be stopped. Each is tried first and alone, to find out which one caused it. */
  #again: Job[] = [];
  readonly #small = new FairQueue<Waiting>();
  readonly #large = new FairQueue<Waiting>();
  #arrivals = 0;
  #isClosed = false;

  constructor(limits: Required<ParserOptions>) {
    this.#limits = limits;
  }

  /** Adds a mail, which is handled once a thread is free. */
  add(job: Job): void {
    if (this.#isClosed) {
      job.failed(new WorkStopped('closed'));
      return;
    }
    this.#arrivals += 1;
    this.#queueOf(job).push(job.owner, Object.assign(job, { number: this.#arrivals }));
    this.#assign();
  }

  /** Drops a job that has not started. A started job continues. */
  drop(job: Job): void {
    this.#again = this.#again.filter((other) => other !== job);
    this.#queueOf(job).remove(job.owner, job as Waiting);
  }

  /** Starts a thread if there is none. */
  warm(): void {
    if (!this.#isClosed && this.#threads.length === 0) this.#addThread().thread.warm();
  }

  /** Stops all threads. Unfinished jobs fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const left = this.#again.splice(0);
    for (const queue of [this.#small, this.#large])
      for (let next = queue.shift(); next; next = queue.shift()) left.push(next);
    for (const job of left) job.failed(new WorkStopped('closed'));
    await Promise.all(this.#threads.map(({ thread }) => thread.close()));
  }

  #assign(): void {
    for (;;) {
      const idle = this.#threads.find(({ jobs }) => jobs.length === 0);
      if (!idle && this.#threads.length >= this.#limits.workers) return;
      const jobs = this.#nextJobs();
      if (jobs.length === 0) return;
      void this.#run(idle ?? this.#addThread(), jobs);
    }
  }

  /**
   * Returns the next jobs to run. With several threads, one of them is always left to small mail. If many small mails are waiting, the next
   * ones go along with the first, since handing over one costs as much as handing over a few.
   */
  #nextJobs(): Job[] {
    const again = this.#again.shift();
    if (again) return [again];
    const largeRunning = this.#threads.filter(({ jobs }) => jobs.some(isLarge)).length;
    const mayLarge = largeRunning < Math.max(1, this.#limits.workers - 1);
    const large = mayLarge ? this.#large.peek() : undefined;
    const small = this.#small.peek();
    if (large && (!small || large.number < small.number)) return [this.#large.shift()!];
    const first = this.#small.shift();
    if (!first) return [];
    const share = Math.min(jobsTogetherMax, Math.ceil((this.#small.length + 1) / this.#limits.workers));
    const jobs = [first];
    while (jobs.length < share && goTogether(first, this.#small.peek())) jobs.push(this.#small.shift()!);
    return jobs;
  }

  #queueOf(job: Job): FairQueue<Waiting> {
    return isLarge(job) ? this.#large : this.#small;
  }

  #addThread(): Thread {
    const thread = new WorkThread<WorkerRequest[], WorkerResult[]>(workerUrl(), {
      ...this.#limits,
      maxYoungGenerationSizeMb,
    });
    const added = { thread, jobs: [] };
    this.#threads.push(added);
    return added;
  }

  async #run(thread: Thread, jobs: Job[]): Promise<void> {
    thread.jobs = jobs;
    const bytes = jobs.reduce((sum, { raw }) => sum + raw.length, 0);
    const processorMs = this.#limits.processorMs * (1 + (bytes / 1_048_576) * processorSharePerMib);
    // The thread gets its own copy, because the caller still uses the original.
    const requests = jobs.map(({ raw, task }) => ({ raw: new Uint8Array(raw), task }));
    const own = requests.map(({ raw }) => raw.buffer);
    let results: WorkerResult[] | WorkStopped;
    try {
      results = await thread.thread.run(requests, { own, processorMs });
    } catch (error) {
      results = error instanceof WorkStopped ? error : new WorkStopped('error', { cause: error });
    }
    thread.jobs = [];
    const isShared = results instanceof WorkStopped && jobs.length > 1 && !this.#isClosed;
    if (isShared) this.#again.unshift(...jobs);
    this.#assign();
    if (isShared) return;
    for (const [index, job] of jobs.entries())
      if (results instanceof WorkStopped) job.failed(results);
      else job.done(results[index] ?? null);
  }
}

function goTogether(...jobs: (Job | undefined)[]): boolean {
  return jobs.every((job) => job && job.raw.length <= togetherBytesMax);
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

/** Buffers arrive from a thread as plain byte arrays over the same memory. */
function withBuffers(result: WorkerResult): WorkerResult {
  const mail = result !== null && 'mail' in result ? result.mail : result;
  if (mail === null || !('attachments' in mail)) return result;
  for (const file of mail.attachments) {
    const { content } = file;
    if (content) file.content = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  }
  return result;
}
