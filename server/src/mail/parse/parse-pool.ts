/*
 * Reads mail in worker threads. One crafted message of a megabyte can keep a parser busy for a quarter of a minute; here it
 * costs one thread its life and the mail its body. A thread has a limit of memory, a mail a limit of time; whoever exceeds
 * one is stopped, and the mail is read as far as its header says, so that it can be stored all the same.
 *
 * Every mail goes to a thread, small ones too: the hop costs the main thread 0.08 ms of CPU, reading 5 KB 0.1 to 0.3 ms.
 */
import { availableParallelism } from 'node:os';
import type { KeyAnswers } from '../authenticate/dkim-keys.ts';
import type { SignatureFindings } from '../authenticate/verify-signatures.ts';
import { mayReport } from '../reports/may-report.ts';
import type { MailReport } from '../reports/read-report.ts';
import type { WorkerResult, WorkerTask } from './parse-worker.ts';
import type { ParsedMail, ParseFailure, ParseOptions } from './parsed-mail.ts';
import { type StopReason, WorkerPool } from './worker-pool.ts';

/**
 * A reader of raw mail. No call rejects, and the bytes stay the caller's. Where many mails wait, each `owner` gets turns, so that
 * the mail of one does not wait for all of another's.
 */
export interface MailParser {
  parse(raw: Buffer, options?: ParseOptions, owner?: string): Promise<ParsedMail | ParseFailure>;
  /** Checks the DKIM signatures with the given keys; null when that takes too much. */
  verifySignatures(raw: Buffer, keys: KeyAnswers, owner?: string): Promise<SignatureFindings | null>;
  /** What the mail reports of another one, by its parts for machines; null when it is no report. */
  readReport(raw: Buffer): Promise<MailReport | ReportFailure | null>;
  /** Starts a thread now, so that the first mail need not wait for it. */
  warm(): void;
  /** Stops all threads; mail that is not read by then gives its header. */
  close(): Promise<void>;
}

/** Why it is not known whether a mail is a report. */
export interface ReportFailure {
  failed: StopReason;
  detail: string;
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
const heapMbDefault = 256;

/** A parser with its own threads, which start when they are needed and stay. */
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
      // What reads headers is loaded into this thread only when a mail could not be read elsewhere.
      const headerOnly = async (failed: StopReason, detail: string): Promise<ParseFailure> => {
        const { parseHeaderOnly } = await import('./parse-mail.ts');
        return { failed, detail, mail: parseHeaderOnly(raw, parseOptions) };
      };
      return run<ParsedMail | ParseFailure>(raw, { options: parseOptions }, headerOnly, owner);
    },
    verifySignatures: (raw, keys, owner) => run<SignatureFindings | null>(raw, { keys }, () => null, owner),
    // Reading the header here spares most mail the copy for a thread.
    readReport: async (raw) =>
      mayReport(raw)
        ? run<MailReport | ReportFailure | null>(raw, { report: true }, (failed, detail) => ({
            failed,
            detail,
          }))
        : null,
    warm: () => pool.warm(),
    close: () => pool.close(),
  };
}

/** Buffers arrive from a thread as plain byte arrays over the same memory. */
function withBuffers(result: WorkerResult): WorkerResult {
  if (result === null || 'signatures' in result || 'deliveries' in result) return result;
  const { attachments } = 'failed' in result ? result.mail : result;
  for (const file of attachments) {
    const { content } = file;
    if (content) file.content = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  }
  return result;
}
