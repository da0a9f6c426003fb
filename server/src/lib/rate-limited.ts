import { ApiError } from './api-error.ts';

/** What never comes is told to be a day away. */
const secondsMax = 86_400;

/** A wait in whole seconds, as headers tell it. */
export const wholeSeconds = (waitMs: number): number =>
  Number.isFinite(waitMs) ? Math.min(secondsMax, Math.ceil(waitMs / 1_000)) : secondsMax;

/** The answer to one request too many, which says when to send it again. */
export const tooManyRequests = (waitMs: number): ApiError => {
  const seconds = wholeSeconds(waitMs);
  return new ApiError(
    'rate_limited',
    { retry_after_seconds: seconds, reason: 'requests' },
    { headers: { 'retry-after': String(seconds) } },
  );
};
