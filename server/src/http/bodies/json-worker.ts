/* Runs in a worker thread: parses one body after another, so that a large one holds up this thread and nothing else. */
import { parentPort } from 'node:worker_threads';
import { giveWay } from '../../lib/concurrency/give-way.ts';
import { parseJson } from './parse-json.ts';

/** What comes back for each body. */
export type JsonWorkerAnswer = { value: unknown } | { malformed: true };

const port = parentPort;
if (!port) throw new Error('This file runs in a worker thread.');
giveWay();

port.on('message', (bytes: Uint8Array) => port.postMessage(read(bytes)));

function read(bytes: Uint8Array): JsonWorkerAnswer {
  try {
    return { value: parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) };
  } catch (error) {
    // Anything else ends the thread, of which the request hears.
    if (!(error instanceof SyntaxError)) throw error;
    return { malformed: true };
  }
}
