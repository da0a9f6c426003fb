/* Runs in a worker thread: reads one mail at a time, so that a hostile one holds up this thread and nothing else. */
import { parentPort } from 'node:worker_threads';
import { parseMail } from './parse-mail.ts';
import type { ParsedMail, ParseFailure, ParseOptions } from './parsed-mail.ts';

/** A mail to read. */
export interface ParseRequest {
  raw: Uint8Array;
  options: ParseOptions;
}

/** What comes back: first that the thread is ready, then one result for each request. */
export type ParseResponse = { ready: true } | { result: ParsedMail | ParseFailure };

const port = parentPort;
if (!port) throw new Error('This file runs in a worker thread.');

port.on('message', ({ raw, options }: ParseRequest) => {
  void parseMail(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), options).then((result) => {
    const { attachments } = 'failed' in result ? result.mail : result;
    for (const attachment of attachments)
      if (attachment.content) attachment.content = ownMemory(attachment.content);
    const response: ParseResponse = { result };
    port.postMessage(
      response,
      attachments.flatMap(({ content }) => (content ? [content.buffer as ArrayBuffer] : [])),
    );
  });
});
port.postMessage({ ready: true } satisfies ParseResponse);

/** Small buffers share memory with others, which must not be given away with them. */
function ownMemory(content: Buffer): Buffer {
  if (content.byteLength === content.buffer.byteLength) return content;
  return Buffer.from(new Uint8Array(content).buffer);
}
