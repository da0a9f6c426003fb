/* Runs in a worker thread: parses one body after another, so that a large one holds up this thread and nothing else. */
import { parentPort } from 'node:worker_threads';
import { giveWay } from '../../lib/concurrency/give-way.ts';
import { parseJson } from './parse-json.ts';

/** The result for each body. */
export type JsonWorkerAnswer = { value: unknown } | { malformed: true };

const port = parentPort;
if (!port) throw new Error('This file runs in a worker thread.');
giveWay();

port.on('message', (bytes: Uint8Array) => {
  try {
    const value = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    send({ value });
  } catch (error) {
    // A RangeError comes from values that are nested too deeply to be sent. Anything else ends the thread and fails the request.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    send({ malformed: true });
  }
});

function send(answer: JsonWorkerAnswer): void {
  port?.postMessage(answer);
}
