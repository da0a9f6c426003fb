import { APIError } from './api-error.ts';
import { AbortedError, TimeoutError } from './errors.ts';
import type { AttemptSettings } from './retry.ts';

/** A call, as far as its failure names it. */
interface FailedCall {
  name: string;
  attempts: number;
}

/** What a call has failed with: that it was aborted, that no answer came in time, or the error itself. */
export function errorFor(
  thrown: unknown,
  { name, attempts }: FailedCall,
  { signal, attemptMsMax: limitMs }: AttemptSettings,
  passedMs: number,
): unknown {
  if (signal?.aborted) return new AbortedError(`${name} was aborted.`, { cause: signal.reason });
  if (!(thrown instanceof TimeoutError)) return thrown;
  const count = attempts > 1 ? ` in any of ${attempts} attempts, ${passedMs} ms in all` : '';
  return new TimeoutError(`${name}: no answer within the timeout of ${limitMs} ms${count}.`);
}

/** A failure as it may be logged: messages of errors can hold parts of requests and answers. */
export function failureOf(error: unknown): string {
  if (error instanceof APIError) return `${error.status} ${error.code} (request ${error.requestId})`;
  return error instanceof Error ? error.name : 'failure';
}
