/* Runs in a worker thread: handles one mail at a time, so that a hostile one holds up this thread and nothing else. */
import { parentPort } from 'node:worker_threads';
import type { KeyAnswers } from './dkim-keys.ts';
import { parseMail } from './parse-mail.ts';
import type { ParsedMail, ParseFailure, ParseOptions } from './parsed-mail.ts';
import { type SignatureFindings, verifySignatures } from './verify-signatures.ts';

/** What is to be done with a mail: read it, or check its signatures. */
export type WorkerTask = { options: ParseOptions } | { keys: KeyAnswers };

/** A mail, and what is to be done with it. */
export interface WorkerRequest {
  raw: Uint8Array;
  task: WorkerTask;
}

/** What comes of a task; null for signatures that could not be checked. */
export type WorkerResult = ParsedMail | ParseFailure | SignatureFindings | null;

/** What comes back: first that the thread is ready, then one result for each request. */
export type WorkerResponse = { ready: true } | { result: WorkerResult };

const port = parentPort;
if (!port) throw new Error('This file runs in a worker thread.');

port.on('message', ({ raw, task }: WorkerRequest) => {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  if ('keys' in task) {
    const checked = verifySignatures(bytes, task.keys).catch(() => null);
    void checked.then((result) => port.postMessage({ result } satisfies WorkerResponse));
  } else {
    void parseMail(bytes, task.options).then((result) => {
      const { attachments } = 'failed' in result ? result.mail : result;
      for (const file of attachments) if (file.content) file.content = ownMemory(file.content);
      const memory = attachments.flatMap(({ content }) => (content ? [content.buffer as ArrayBuffer] : []));
      port.postMessage({ result } satisfies WorkerResponse, memory);
    });
  }
});
port.postMessage({ ready: true } satisfies WorkerResponse);

/** Small buffers share memory with others, which must not be given away with them. */
function ownMemory(content: Buffer): Buffer {
  if (content.byteLength === content.buffer.byteLength) return content;
  return Buffer.from(new Uint8Array(content).buffer);
}
