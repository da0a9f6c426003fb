/* Runs in a worker thread: composes and signs large mails one after another, so that a slow one holds up nothing but this thread. */
import { parentPort } from 'node:worker_threads';
import { giveWay } from '../../lib/concurrency/give-way.ts';
import type { OutgoingMail } from './compose-mail.ts';
import type { DkimSigner } from './sign-mail.ts';

/** A mail, and what signs it. */
export interface ComposeJob {
  mail: OutgoingMail;
  signer: DkimSigner | null;
}

/** The reply for each mail. */
export type ComposeAnswer = { raw: Uint8Array<ArrayBuffer> } | { unsafe: string };

const port = parentPort;
if (!port) throw new Error('This file runs in a worker thread.');
giveWay();
// Loading runs at the lower priority, too.
const { composeMail } = await import('./compose-mail.ts');
const { UnsafeHeader } = await import('./header-fields.ts');
const { signMail } = await import('./sign-mail.ts');

port.on('message', async (job: ComposeJob) => {
  const answer = await compose(job);
  port.postMessage(answer, 'raw' in answer ? [answer.raw.buffer] : []);
});

async function compose({ mail, signer }: ComposeJob): Promise<ComposeAnswer> {
  try {
    // Buffers arrive as plain byte arrays.
    const attachments = mail.attachments?.map((file) => ({
      ...file,
      content: Buffer.from(file.content.buffer, file.content.byteOffset, file.content.length),
    }));
    const raw = await composeMail({ ...mail, attachments });
    return { raw: new Uint8Array(signer === null ? raw : await signMail(raw, signer, mail.date)) };
  } catch (error) {
    // Any other error ends the thread, and the caller is told.
    if (!(error instanceof UnsafeHeader)) throw error;
    return { unsafe: error.message };
  }
}
