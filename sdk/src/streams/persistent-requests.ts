import { delayMs, mayPass } from '../calls/retry.ts';
import { pause } from '../pause.ts';

/** The options of each request. */
export interface PersistentOptions {
  signal: AbortSignal;
}

/**
 * Makes requests, which are repeated while the server is unreachable or busy, until the signal is aborted.
 */
export class PersistentRequests {
  /** Ends all requests. */
  readonly signal: AbortSignal;
  /** The error of the last request; null when it succeeded. */
  failure: unknown = null;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** Repeats a request until it succeeds. Rejects with an error that no retry can fix. */
  async make<Answer>(request: (options: PersistentOptions) => PromiseLike<Answer>): Promise<Answer> {
    for (let failures = 1; ; failures++) {
      try {
        const answer = await request({ signal: this.signal });
        this.failure = null;
        return answer;
      } catch (error) {
        if (!mayPass(error)) throw error;
        this.failure = error;
        await pause(delayMs(failures), this.signal);
      }
    }
  }
}
