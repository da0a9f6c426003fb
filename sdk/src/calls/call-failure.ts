import { AbortedError, TimeoutError } from '../errors.ts';
import { APIError } from './api-error.ts';
import type { AttemptSettings } from './retry.ts';

/** The fields of a call that its error needs. */
interface FailedCall {
  name: string;
  attempts: number;
}

/** Returns the error of a failed call: an `AbortedError`, a `TimeoutError`, or the thrown error itself. */
export function errorFor(
  thrown: unknown,
  { name, attempts }: FailedCall,
  { signal, attemptMsMax: limitMs }: AttemptSettings,
  passedMs: number,
): unknown {
  if (signal?.aborted) return new AbortedError(`${name} was aborted.`, { cause: signal.reason });
  if (!(thrown instanceof TimeoutError)) return thrown;
  const count = attempts > 1 ? ` in any of ${attempts} attempts, ${passedMs} ms in total` : '';
  return new TimeoutError(`${name}: no response within the timeout of ${limitMs} ms${count}.`);
}

/**
 * Returns a failure in a form that may be logged. It leaves out error messages, which can contain parts of
 * requests and responses.
 */
export function describeFailure(error: unknown): string {
  if (error instanceof APIError) return `${error.status} ${error.code} (request ${error.requestId})`;
  return error instanceof Error ? error.name : 'failure';
}
