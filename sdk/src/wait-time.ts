import { checkOptions } from './check-options.ts';
import { AbortedError, type OtherMessages, WaitTimeoutError } from './errors.ts';
import { PersistentRequests } from './persistent-requests.ts';
import { checkLimits } from './request.ts';

/** How long it is waited at most, and what ends it before. */
export interface WaitLimits {
  /** How long to wait, in milliseconds. Default: 60,000. */
  timeout?: number | undefined;
  /** Ends the waiting when it is aborted. */
  signal?: AbortSignal | undefined;
}

const timeoutMsDefault = 60_000;

/** The time that a wait has, from the moment when this is made. */
export class WaitTime {
  /** The requests of the wait, which end with its time. */
  readonly requests: PersistentRequests;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #deadline: AbortSignal;

  constructor(params: WaitLimits, limits: WaitLimits = {}) {
    checkOptions('a wait', limits, ['timeout', 'signal']);
    const { timeout = timeoutMsDefault, signal } = { ...params, ...limits };
    checkLimits({ timeout });
    this.#timeoutMs = timeout;
    this.#signal = signal;
    this.#deadline = AbortSignal.timeout(timeout);
    this.requests = new PersistentRequests(
      signal === undefined ? this.#deadline : AbortSignal.any([signal, this.#deadline]),
    );
  }

  /** What a wait has failed with: that it was aborted, that its time was up, or the error itself. */
  failureOf(error: unknown, waitedFor: string, others: OtherMessages = { count: 0, last: null }): unknown {
    if (this.#signal?.aborted) {
      return new AbortedError('The wait was aborted.', { cause: this.#signal.reason });
    }
    if (!this.#deadline.aborted) return error;
    return new WaitTimeoutError(waitedFor, this.#timeoutMs, others, this.requests.failure);
  }
}
