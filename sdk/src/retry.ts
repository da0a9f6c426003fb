import { HTTPError, isTimeoutError, type RetryOptions } from 'ky';
import { ConnectionError } from './errors.ts';
import type { Route } from './generated/routes.ts';

/** Statuses that say that the same request may succeed later. */
const laterStatuses = [408, 429, 500, 502, 503, 504];
const firstDelayMs = 300;
const delayMsMax = 8_000;
/** The longest wait that a server may ask for; after a longer one the error is thrown instead. */
const askedDelayMsMax = 60_000;

/**
 * Whether a request may be repeated: GET, PATCH and DELETE leave the same state when repeated, and a POST with a `client_id`
 * is recognised by the server.
 */
export function isRepeatable({ method, takesClientId }: Route): boolean {
  return method !== 'POST' || takesClientId === true;
}

const delayMs = (attempt: number) => Math.min(delayMsMax, firstDelayMs * 2 ** (attempt - 1));

/** The retries of one call; none begins that could not be answered before the call has taken `totalMsMax`. */
export function retryOptions(retriesMax: number, totalMsMax: number): RetryOptions {
  const endMs = performance.now() + totalMsMax;
  return {
    limit: retriesMax,
    methods: ['get', 'post', 'patch', 'delete'],
    statusCodes: laterStatuses,
    afterStatusCodes: laterStatuses,
    maxRetryAfter: askedDelayMsMax,
    retryOnTimeout: true,
    delay: delayMs,
    // Half of the delay at least, so that clients that failed together do not come back together, nor at once.
    jitter: (delay) => delay * (0.5 + Math.random() / 2),
    shouldRetry({ error, retryCount }) {
      const leftMs = endMs - performance.now();
      if (!(error instanceof HTTPError)) {
        return (error instanceof ConnectionError || isTimeoutError(error)) && delayMs(retryCount) < leftMs;
      }
      const askedMs = askedDelayMs(error.response.headers) ?? delayMs(retryCount);
      // Undefined leaves statuses and the length of the wait to ky.
      return askedMs > askedDelayMsMax || askedMs >= leftMs ? false : undefined;
    },
  };
}

function askedDelayMs(headers: Headers): number | null {
  const asked = headers.get('retry-after') ?? headers.get('ratelimit-reset');
  if (asked === null) return null;
  if (/^\d+$/.test(asked)) return Number(asked) * 1000;
  const atMs = Date.parse(asked);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - Date.now());
}
