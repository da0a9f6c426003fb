/*
 * A thread parses large bodies. Receiving the finished object of a body of 10 MB blocks the event loop for some 10 ms, a third of the time
 * that parsing there would take.
 */
import { limits } from '@postrider/contract';
import { ApiError } from '../../lib/api-error.ts';
import { answerToStopped } from '../../lib/concurrency/work-stopped.ts';
import { WorkThread, type WorkThreadLimits } from '../../lib/concurrency/work-thread.ts';
import type { JsonWorkerAnswer } from './json-worker.ts';

/** The default limits of a thread. A body of 10.5 MB takes up to 42 MB: text and values, two bytes a character. */
export const jsonThreadLimits: WorkThreadLimits = { heapMb: 96, processorMs: 30_000, idleMs: 10_000 };

/** A thread that parses bodies. */
export class JsonThread {
  readonly #thread: WorkThread<Uint8Array, JsonWorkerAnswer>;

  constructor(options: WorkThreadLimits = jsonThreadLimits) {
    this.#thread = new WorkThread(workerUrl(), options);
  }

  /**
   * Returns the value of a body. The memory of the body is transferred to the thread.
   *
   * @throws ApiError `malformed_json` if it is not JSON, `payload_too_large` if it takes too much memory or processor time, `unavailable`
   * if the thread could not parse it.
   */
  async parse(bytes: Buffer): Promise<unknown> {
    const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
    const answer = await this.#thread
      .run(own, { own: [own.buffer as ArrayBuffer] })
      .catch((error: unknown) => {
        throw answerToStopped(error, tooLarge);
      });
    if ('malformed' in answer) throw new ApiError('malformed_json');
    return answer.value;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

function tooLarge(): ApiError {
  return new ApiError('payload_too_large', { limit_bytes: limits.requestBesideAttachmentsBytesMax });
}

/** Returns the worker in this folder, which is TypeScript in the workspace and JavaScript in a build. */
function workerUrl(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './json-worker.ts' : './json-worker.js', import.meta.url);
}
