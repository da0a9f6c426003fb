import { checkLimits } from '../calls/request.ts';
import { checkOptions } from '../check-options.ts';
import { AbortedError, type OtherMessages, WaitTimeoutError } from '../errors.ts';
import type { DeliveryStatus } from '../generated/types.ts';
import { PersistentRequests } from '../streams/persistent-requests.ts';

/** How long to wait, and the signal that ends the wait early. */
export interface WaitLimits {
  /** The time limit of the whole wait, in milliseconds. Default: 60,000. */
  timeout?: number | undefined;
  /** Ends the wait with an `AbortedError` when the signal is aborted. */
  signal?: AbortSignal | undefined;
}

const timeoutMsDefault = 60_000;

/** The time limit of a wait, which begins when this object is created. */
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

  /** Returns the error of a failed wait: an `AbortedError`, a `WaitTimeoutError`, or the error itself. */
  failureOf(
    error: unknown,
    waitedFor: string,
    others: OtherMessages = { count: 0, last: null },
    sentStatus: DeliveryStatus | null = null,
  ): unknown {
    if (this.#signal?.aborted) {
      return new AbortedError('The wait was aborted.', { cause: this.#signal.reason });
    }
    if (!this.#deadline.aborted) return error;
    return new WaitTimeoutError(waitedFor, this.#timeoutMs, others, this.requests.failure, sentStatus);
  }
}
