/*
 * Reads mail in worker threads. One crafted message of a megabyte can keep a parser busy for a quarter of a minute. Here it costs one
 * thread its life, and the mail its body. A thread has a memory limit, and a mail has a limit of processor time. A thread that exceeds one
 * is stopped, and only the header of its mail is read, so that the mail can still be stored.
 *
 * Small mail goes to a thread, too: passing it on costs the main thread 0.08 ms of CPU, and reading 5 KB costs 0.1 to 0.3 ms.
 */
import { availableParallelism } from 'node:os';
import { WorkStopped } from '../../lib/concurrency/work-stopped.ts';
import type { SignatureFindings, SignatureOptions } from '../authenticate/verify-signatures.ts';
import type { ReportScope } from '../reports/read-dmarc-report.ts';
import type { MailReport } from '../reports/read-report.ts';
import { mayReport } from '../reports/report-parts.ts';
import type { ShownMail, ShowOptions } from '../show/render-html-mail.ts';
import type { ReadDmarcReport, WorkerResult, WorkerTask } from './parse-worker.ts';
import type { ParsedMail, ParseFailure, ParseOptions, WorkFailure } from './parsed-mail.ts';
import { type Job, WorkerPool } from './worker-pool.ts';

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
  /** Returns what the mail reports on another one, from its machine-readable parts. Returns null if it is no report. */
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
