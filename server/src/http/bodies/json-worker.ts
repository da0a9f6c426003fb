/* Runs in a worker thread: parses one body after another, so that a large one blocks this thread and nothing else. */
import { serveJobs } from '../../lib/concurrency/serve-jobs.ts';
import { parseJson } from './json-text.ts';

/** The result for each body. */
export type JsonWorkerAnswer = { value: unknown } | { malformed: true };

await serveJobs<Uint8Array, JsonWorkerAnswer>(async () => (bytes, reply) => {
  try {
    reply({ value: parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) });
  } catch (error) {
    // A RangeError comes from values that are nested too deeply to be sent. Anything else ends the thread and fails the request.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    reply({ malformed: true });
  }
});
