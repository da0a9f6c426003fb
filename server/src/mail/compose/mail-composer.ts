/*
 * Composes mail without holding up the event loop, since wrapping and encoding 5 MB of text takes up to a second. Only large mail is
 * composed in a thread. For small mail, passing it to a thread would cost more than composing it.
 */
import { WorkThread, type WorkThreadLimits } from '../../lib/concurrency/work-thread.ts';
import { composeMail, type OutgoingMail } from './compose-mail.ts';
import type { ComposeAnswer, ComposeJob } from './compose-worker.ts';
import { UnsafeHeader } from './header-fields.ts';
import { type DkimSigner, signMail } from './sign-mail.ts';

/** The size above which mail is large, and the limits for composing one: 10 MB of lines and 10 MB of files take 24 MB of heap. */
export const composeLimits: WorkThreadLimits & { largeBytes: number } = {
  largeBytes: 131_072,
  heapMb: 48,
  processorMs: 30_000,
  idleMs: 10_000,
};

/** The worker in this folder, which is TypeScript in the workspace and JavaScript in a build. */
const worker = new URL(
  import.meta.url.endsWith('.ts') ? './compose-worker.ts' : './compose-worker.js',
  import.meta.url,
);

/** Composes and signs mail of any size. */
export class MailComposer {
  #thread: WorkThread<ComposeJob, ComposeAnswer> | null = null;

  /**
   * The same as `composeMail`, for mail of any size. With a signer the mail is signed with its date, and the same input has the same bytes.
   *
   * @throws UnsafeHeader as `composeMail`; WorkStopped if a large mail takes too much memory or processor time, or could not be composed.
   */
  async compose(mail: OutgoingMail, signer: DkimSigner | null): Promise<Buffer> {
    if (bytesOf(mail) <= composeLimits.largeBytes) return composeHere(mail, signer);
    this.#thread ??= new WorkThread(worker, composeLimits);
    const answer = await this.#thread.run({ mail, signer });
    if ('unsafe' in answer) throw new UnsafeHeader(answer.unsafe);
    return Buffer.from(answer.raw.buffer, answer.raw.byteOffset, answer.raw.length);
  }

  /** Ends the thread and gives up the mails that it has not composed. */
  async close(): Promise<void> {
    await this.#thread?.close();
  }
}

async function composeHere(mail: OutgoingMail, signer: DkimSigner | null): Promise<Buffer> {
  const raw = await composeMail(mail);
  return signer === null ? raw : signMail(raw, signer, mail.date);
}

function bytesOf({ text, html, attachments = [] }: OutgoingMail): number {
  const files = attachments.reduce((sum, { content }) => sum + content.length, 0);
  return (text?.length ?? 0) + (html?.length ?? 0) + files;
}
