/*
 * Composes mail without holding up the event loop: to wrap and encode 5 MB of text takes up to a second. Large mail is composed in
 * a thread; small mail is not, since to hand it over would cost more.
 */
import { WorkThread, type WorkThreadLimits } from '../../lib/concurrency/work-thread.ts';
import { composeMail, type OutgoingMail } from './compose-mail.ts';
import type { ComposeAnswer } from './compose-worker.ts';
import { UnsafeHeader } from './header-fields.ts';

/** From where on mail is large, and what composing one may take: 10 MB of lines and 10 MB of files take 24 MB of heap. */
export const composeLimits: WorkThreadLimits & { largeBytes: number } = {
  largeBytes: 131_072,
  heapMb: 48,
  timeoutMs: 30_000,
  idleMs: 10_000,
};

/** The worker beside this file, which is TypeScript in the workspace and JavaScript where it was built. */
const worker = new URL(
  import.meta.url.endsWith('.ts') ? './compose-worker.ts' : './compose-worker.js',
  import.meta.url,
);
let thread: WorkThread<OutgoingMail, ComposeAnswer> | null = null;

/**
 * As `composeMail`, for mail of any size.
 *
 * @throws UnsafeHeader as `composeMail`; WorkStopped when a large mail takes too much memory or time.
 */
export async function composeAny(mail: OutgoingMail): Promise<Buffer> {
  if (bytesOf(mail) <= composeLimits.largeBytes) return composeMail(mail);
  thread ??= new WorkThread(worker, composeLimits);
  const answer = await thread.run(mail);
  if ('unsafe' in answer) throw new UnsafeHeader(answer.unsafe);
  return Buffer.from(answer.raw.buffer, answer.raw.byteOffset, answer.raw.length);
}

function bytesOf({ text, html, attachments = [] }: OutgoingMail): number {
  const files = attachments.reduce((sum, { content }) => sum + content.length, 0);
  return (text?.length ?? 0) + (html?.length ?? 0) + files;
}
