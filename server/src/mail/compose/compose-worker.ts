/* Runs in a worker thread: composes and signs large mails one after another, so that a slow one blocks nothing but this thread. */
import { serveJobs } from '../../lib/concurrency/serve-jobs.ts';
import type { ComposeAnswer, ComposeJob } from './compose-mail.ts';

await serveJobs<ComposeJob, ComposeAnswer>(async () => {
  const { composeMail } = await import('./compose-mail.ts');
  const { UnsafeHeader } = await import('./header-fields.ts');
  const { signMail } = await import('./sign-mail.ts');
  return async ({ mail, signer }, reply) => {
    try {
      // Buffers arrive as plain byte arrays.
      const attachments = mail.attachments?.map((file) => ({
        ...file,
        content: Buffer.from(file.content.buffer, file.content.byteOffset, file.content.length),
      }));
      const composed = await composeMail({ ...mail, attachments });
      const raw = new Uint8Array(signer === null ? composed : await signMail(composed, signer, mail.date));
      reply({ raw }, [raw.buffer]);
    } catch (error) {
      // Any other error ends the thread, and the caller gets the error.
      if (!(error instanceof UnsafeHeader)) throw error;
      reply({ unsafe: error.message });
    }
  };
});
