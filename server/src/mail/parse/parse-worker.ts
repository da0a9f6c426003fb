/* Runs in a worker thread: handles mails in groups, one group after another, so that a hostile mail blocks nothing but this thread. */
import { serveJobs } from '../../lib/concurrency/serve-jobs.ts';
import { endLoading } from '../../lib/start/end-loading.ts';
import type { SignatureFindings, SignatureOptions } from '../authenticate/verify-signatures.ts';
import type { DmarcReport, ReportScope } from '../reports/read-dmarc-report.ts';
import type { MailReport } from '../reports/read-report.ts';
import type { ShownMail, ShowOptions } from '../show/render-html-mail.ts';
import type { ParsedMail, ParseFailure, ParseOptions } from './parsed-mail.ts';

/**
 * The task for a mail: parse it, check its signatures, read what it reports about another mail or about domains, or make a page of its
 * HTML, which is then given instead of the raw mail.
 */
export type WorkerTask =
  | { options: ParseOptions }
  | { signatures: SignatureOptions }
  | { report: true }
  | { reportOn: ReportScope[] }
  | { show: ShowOptions };

/** A mail with its task. */
export interface WorkerRequest {
  raw: Uint8Array;
  task: WorkerTask;
}

/** A DMARC report, or the reason why it could not be read. */
export type ReadDmarcReport = { dmarc: DmarcReport } | { unread: string };

/** The result of a task; null for signatures that cannot be checked, and for a mail that is no report. */
export type WorkerResult =
  | ParsedMail
  | ParseFailure
  | SignatureFindings
  | MailReport
  | ReadDmarcReport
  | ShownMail
  | null;

const idleMs = 1_000;

await serveJobs<WorkerRequest[], WorkerResult[]>(async () => {
  const { parseMail } = await import('./parse-mail.ts');
  const { readReport } = await import('../reports/read-report.ts');
  const { verifySignatures } = await import('../authenticate/verify-signatures.ts');
  // A thread that was started for a mail gets it now. Only one that is idle has time to end its loading.
  const idle = setTimeout(endLoading, idleMs).unref();

  async function handle({ raw, task }: WorkerRequest): Promise<WorkerResult> {
    const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
    if ('signatures' in task) return verifySignatures(bytes, task.signatures).catch(() => null);
    if ('report' in task) return readReport(bytes);
    if ('reportOn' in task) return readDmarc(bytes, task.reportOn);
    if ('show' in task) return showHtml(bytes, task.show);
    const result = await parseMail(bytes, task.options);
    for (const file of readAttachments(result)) if (file.content) file.content = ownMemory(file.content);
    return result;
  }

  return async (requests, reply) => {
    clearTimeout(idle);
    // The mails are handled concurrently: reading one takes some twenty turns of the event loop, which then serve all of them.
    const results = await Promise.all(requests.map(handle));
    const memory = results
      .flatMap(readAttachments)
      .flatMap(({ content }) => (content ? [content.buffer as ArrayBuffer] : []));
    reply(results, memory);
  };
});

/** Few mails bring DMARC reports, so the code for them is loaded with the first one. */
async function readDmarc(bytes: Buffer, scopes: ReportScope[]): Promise<ReadDmarcReport> {
  const { readDmarcReport } = await import('../reports/read-dmarc-report.ts');
  return readDmarcReport(bytes, scopes);
}

async function showHtml(bytes: Buffer, options: ShowOptions): Promise<ShownMail> {
  const { renderHtmlMail } = await import('../show/render-html-mail.ts');
  return renderHtmlMail(bytes.toString('utf8'), options);
}

function readAttachments(result: WorkerResult): ParsedMail['attachments'] {
  if (result !== null && 'mail' in result) return result.mail.attachments;
  return result !== null && 'attachments' in result ? result.attachments : [];
}

/** Returns a buffer with memory of its own, because small buffers share memory, which must not be transferred along with them. */
function ownMemory(content: Buffer): Buffer {
  if (content.byteLength === content.buffer.byteLength) return content;
  return Buffer.from(new Uint8Array(content).buffer);
}
