import { type ApiError, unavailable } from '../api-error.ts';

/**
 * The reason why a job was given up. The first three are due to the job itself, since it had the thread to itself: it used up its processor
 * time or memory, or failed. The others say nothing about it.
 */
export type StopReason = 'processor_time' | 'memory' | 'error' | 'hung' | 'not_started' | 'late' | 'closed';

/** The error for a job that was given up, with the reason. */
export class WorkStopped extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason, options: ErrorOptions = {}) {
    const why = options.cause instanceof Error ? `${reason}: ${options.cause.message}` : `${reason}.`;
    super(`The thread was stopped: ${why}`, options);
    this.reason = reason;
  }

  /** Whether the same job would be given up again. */
  get isFinal(): boolean {
    return this.reason === 'processor_time' || this.reason === 'memory' || this.reason === 'error';
  }
}

/**
 * Returns the error for a request whose job was stopped. A job that took too much memory or processor time was too large; a request whose
 * job was stopped for another reason can be sent again. Any other error, including that of a job that failed by itself, is returned
 * unchanged.
 */
export function answerToStopped(error: unknown, tooLarge: () => ApiError): unknown {
  if (!(error instanceof WorkStopped) || error.reason === 'error') return error;
  return error.isFinal ? tooLarge() : unavailable(error);
}
