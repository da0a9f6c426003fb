/*
 * Large bodies become objects in a thread: to take over the finished object of 10 MB holds up the event loop for some 10 ms, a
 * third of what it costs to make it there.
 */
import { limits } from '@postrider/contract';
import { ApiError } from '../../lib/api-error.ts';
import { answerToStopped, WorkThread, type WorkThreadLimits } from '../../lib/concurrency/work-thread.ts';
import type { JsonWorkerAnswer } from './json-worker.ts';

/** The limits of a thread that is told nothing else. A body of 10.5 MB takes up to 42 MB: text and values, two bytes a character. */
export const jsonThreadLimits: WorkThreadLimits = { heapMb: 96, timeoutMs: 30_000, idleMs: 10_000 };

/** A thread that parses bodies. */
export class JsonThread {
  readonly #thread: WorkThread<Uint8Array, JsonWorkerAnswer>;

  constructor(options: WorkThreadLimits = jsonThreadLimits) {
    this.#thread = new WorkThread(workerUrl(), options);
  }

  /**
   * What a body says. Its memory is given away.
   *
   * @throws ApiError `malformed_json` when it is not JSON, `payload_too_large` when it takes too much memory, `unavailable` when
   * it takes too long.
   */
  async parse(bytes: Buffer): Promise<unknown> {
    const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
    const answer = await this.#thread.run(own, [own.buffer as ArrayBuffer]).catch((error: unknown) => {
      throw answerToStopped(error, tooLarge);
    });
    if ('malformed' in answer) throw new ApiError('malformed_json');
    return answer.value;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

const tooLarge = (): ApiError =>
  new ApiError('payload_too_large', { limit_bytes: limits.requestBesideAttachmentsBytesMax });

/** The worker beside this file, which is TypeScript in the workspace and JavaScript where it was built. */
const workerUrl = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './json-worker.ts' : './json-worker.js', import.meta.url);
