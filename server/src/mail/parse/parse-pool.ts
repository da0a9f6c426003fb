/*
 * Reads mail in worker threads. One crafted message of a megabyte can keep a parser busy for a quarter of a minute. Here it costs one
 * thread its life, and the mail its body. A thread has a memory limit, and a mail has a time limit. A thread that exceeds one is stopped,
 * and only the header of its mail is read, so that the mail can still be stored.
 *
 * Small mail goes to a thread, too: passing it on costs the main thread 0.08 ms of CPU, and reading 5 KB costs 0.1 to 0.3 ms.
 */
import { availableParallelism } from 'node:os';
import type { SignatureFindings, SignatureOptions } from '../authenticate/verify-signatures.ts';
import { mayReport } from '../reports/may-report.ts';
import type { ReportScope } from '../reports/read-dmarc-report.ts';
import type { MailReport } from '../reports/read-report.ts';
import type { ShownMail, ShowOptions } from '../show/render-html-mail.ts';
import type { ReadDmarcReport, WorkerResult, WorkerTask } from './parse-worker.ts';
import type { ParsedMail, ParseFailure, ParseOptions } from './parsed-mail.ts';
import { type StopReason, WorkerPool } from './worker-pool.ts';

/**
 * A reader of raw mail. No call rejects, and the bytes still belong to the caller. If many mails are waiting, the owners take turns, so
 * that the mail of one does not wait for all the mail of another.
 */
export interface MailParser {
  parse(raw: Buffer, options?: ParseOptions, owner?: string): Promise<ParsedMail | ParseFailure>;
  /** Checks the signatures with the given keys. Resolves to null if that takes too much time or memory. */
  verifySignatures(
    raw: Buffer,
    signatures: SignatureOptions,
    owner?: string,
  ): Promise<SignatureFindings | null>;
  /** Returns what the mail reports on another one, from its machine-readable parts. Returns null if it is no report. */
  readReport(raw: Buffer): Promise<MailReport | ReportFailure | null>;
  /** Returns the DMARC report that a mail brings, counted for each scope, or the reason why it could not be read. */
  readDmarcReport(raw: Buffer, scopes: ReportScope[], owner: string): Promise<ReadDmarcReport>;
  /** Returns the page of an HTML body, or the reason why it takes too much time or memory. The plain text can be shown then. */
  showHtml(html: string, options: ShowOptions, owner: string): Promise<ShownMail | ReportFailure>;
  /** Starts a thread now, so that the first mail does not have to wait for it. */
  warm(): void;
  /** Stops all threads. Of mail that is not read by then, only the header is returned. */
  close(): Promise<void>;
}

/** The reason why a task was given up, such as finding out whether a mail is a report. */
export interface ReportFailure {
  failed: StopReason;
  detail: string;
}

/** The number of threads, and the limits for one mail. */
export interface ParserOptions {
  workers?: number;
  /** The limit for a small mail. Each MiB adds a twentieth of it. */
  timeoutMs?: number;
  heapMb?: number;
}

/**
 * A 10 MB mail takes 65 ms, and the slowest honest mail takes less than 300 ms. Two seconds leave room for a busy machine, and a sender of
 * hostile mail cannot hold up a thread for longer.
 */
const timeoutMsDefault = 2_000;
const heapMbDefault = 256;

/** Creates a parser with its own threads, which start when they are needed and keep running. */
export function createMailParser(options: ParserOptions = {}): MailParser {
  const pool = new WorkerPool({
    workers: Math.max(1, options.workers ?? Math.min(2, availableParallelism())),
    timeoutMs: options.timeoutMs ?? timeoutMsDefault,
    heapMb: options.heapMb ?? heapMbDefault,
  });
  const run = <T extends WorkerResult | ReportFailure>(
    raw: Buffer,
    task: WorkerTask,
    giveUp: (failed: StopReason, detail: string) => T | Promise<T>,
    owner = '',
  ): Promise<T> =>
    new Promise((resolve) => {
      pool.add({
        raw,
        task,
        owner,
        done: (result) => resolve(withBuffers(result) as T),
        failed: (reason, detail) => void Promise.resolve(giveUp(reason, detail)).then(resolve),
      });
    });
  return {
    parse: (raw, parseOptions = {}, owner = '') => {
      // The code for headers is loaded into this thread only once a thread could not read a mail.
      const headerOnly = async (failed: StopReason, detail: string): Promise<ParseFailure> => {
        const { parseHeaderOnly } = await import('./parse-mail.ts');
        return { failed, detail, mail: parseHeaderOnly(raw, parseOptions) };
      };
      return run<ParsedMail | ParseFailure>(raw, { options: parseOptions }, headerOnly, owner);
    },
    verifySignatures: (raw, signatures, owner) =>
      run<SignatureFindings | null>(raw, { signatures }, () => null, owner),
    // Reading the header here saves copying most mail to a thread.
    readReport: async (raw) =>
      mayReport(raw)
        ? run<MailReport | ReportFailure | null>(raw, { report: true }, (failed, detail) => ({
            failed,
            detail,
          }))
        : null,
    readDmarcReport: (raw, scopes, owner) =>
      run<ReadDmarcReport>(
        raw,
        { reportOn: scopes },
        (failed, detail) => ({ unread: `${failed}: ${detail}` }),
        owner,
      ),
    showHtml: (html, show, owner) =>
      run<ShownMail | ReportFailure>(
        Buffer.from(html),
        { show },
        (failed, detail) => ({ failed, detail }),
        owner,
      ),
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
