import { pause } from './pause.ts';
import { delayMs, mayPass } from './retry.ts';

/** What each of the requests is given. */
export interface PersistentOptions {
  signal: AbortSignal;
}

/** Requests of something that goes on over a server that is away or busy, until its signal ends it. */
export class PersistentRequests {
  /** Ends all of them. */
  readonly signal: AbortSignal;
  /** What the last request failed with; null when it did not. */
  failure: unknown = null;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** Makes a request until it is answered; rejects with an error that will not pass. */
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
