import { ApiError } from './api-error.ts';

/** The longest wait that is reported, a day, also for a wait without an end. */
const secondsMax = 86_400;

/** Returns a wait in whole seconds, as headers have it. */
export function wholeSeconds(waitMs: number): number {
  return Number.isFinite(waitMs) ? Math.min(secondsMax, Math.ceil(waitMs / 1_000)) : secondsMax;
}

/** Returns the error for one request too many, which says when to send it again. */
export function tooManyRequests(waitMs: number): ApiError {
  return rateLimited('requests', waitMs);
}

/** Returns the error for one answer too many in a conversation, which says when the next one may be sent. */
export function tooManyAnswers(waitMs: number, message: string): ApiError {
  return rateLimited('loop', waitMs, message);
}

/** Returns the error for a message over a cap of the sending policy, which says when it may be sent. */
export function overCap(waitMs: number, message: string): ApiError {
  return rateLimited('policy', waitMs, message);
}

function rateLimited(reason: 'requests' | 'loop' | 'policy', waitMs: number, message?: string): ApiError {
  const seconds = wholeSeconds(waitMs);
  return new ApiError(
    'rate_limited',
    { retry_after_seconds: seconds, reason },
    { headers: { 'retry-after': String(seconds) }, ...(message === undefined ? {} : { message }) },
  );
}
