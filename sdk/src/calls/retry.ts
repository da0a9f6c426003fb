/*
 * The attempts of one call, which `ky` makes. GET, PATCH and DELETE may be repeated, because a repeat leaves
 * the same state, and so may a POST with a `client_id`, by which the server recognises a repeat. A call is
 * repeated after a failed connection, an attempt that took too long, or a status that asks to try again
 * later. Any other POST is repeated only if the server did nothing. The wait before a repeat is the one that
 * the server asks for, or else a delay that doubles. If that wait is longer than 60 s or than the time left
 * for the call, the call fails with the failure itself, not with a timeout.
 */
import ky, { type HTTPError, isHTTPError, isTimeoutError } from 'ky';
import { ConnectionError, TimeoutError } from '../errors.ts';
import type { Route } from '../generated/routes.ts';
import { APIError } from './api-error.ts';

const laterStatuses = [408, 429, 500, 502, 503, 504];
const firstDelayMs = 300;
const delayMsMax = 8_000;
const askedDelayMsMax = 60_000;

/** The parameters of the attempts. */
export interface AttemptSettings {
  /** Whether a call may be repeated after an attempt that may have taken effect. */
  isRepeatable: boolean;
  /** The maximum number of retries. */
  retriesMax: number;
  /**
   * The time limit of one attempt, in milliseconds. All attempts, with the waits between them, end within
   * this time multiplied by their maximum number.
   */
  attemptMsMax: number;
  signal: AbortSignal | undefined;
  /** Called before each retry with the failure: a status, or the name of an error. */
  onRetry(retry: number, failure: number | string): void;
}

/** Returns whether a call of a route may be repeated after an attempt that may have taken effect. */
export function isRepeatable({ method, takesClientId }: Pick<Route, 'method' | 'takesClientId'>): boolean {
  return method !== 'POST' || takesClientId === true;
}

/** The longest time that timers can be set to, in milliseconds. */
const timerMsMax = 2_147_483_647;

/**
 * Makes attempts until one gets a final response, and returns it. Rejects if the last attempt gets no
 * response.
 */
export async function makeAttempts(
  url: string,
  attempt: (signal: AbortSignal) => Promise<Response>,
  settings: AttemptSettings,
): Promise<Response> {
  const { isRepeatable, retriesMax, attemptMsMax, signal, onRetry } = settings;
  signal?.throwIfAborted();
  const totalMsMax = Math.min(timerMsMax, attemptMsMax * (retriesMax + 1));
  const endMs = performance.now() + totalMsMax;
  let answer: Response | undefined;
  let waitMs = 0;
  const mayRetry = (error: Error, retry: number): boolean => {
    const isAnswer = isHTTPError(error);
    waitMs = (isAnswer ? askedDelayMs(error.response.headers) : null) ?? delayMs(retry);
    // The caller must act on a limit on what is sent: waiting and repeating would continue an endless exchange.
    const isOfSending = isAnswer && isLimitOfSending(error);
    const isHarmless = !isOfSending && (isRepeatable || didNothing(error));
    const isInTime = waitMs <= askedDelayMsMax && waitMs < endMs - performance.now();
    if (signal?.aborted || !isHarmless || !isInTime || !(isAnswer || isTransient(error))) return false;
    onRetry(retry, isAnswer ? error.response.status : error.name);
    return true;
  };
  try {
    return await ky(url, {
      fetch: async (request) => {
        const { signal } = request as Request;
        answer = await untilAborted(attempt(signal), signal);
        // `ky` reads the body of a response that it turns into an error, so it gets a clone.
        return answer.clone();
      },
      ...(signal ? { signal } : {}),
      timeout: attemptMsMax,
      totalTimeout: totalMsMax,
      throwHttpErrors: (status) => laterStatuses.includes(status),
      retry: {
        limit: retriesMax,
        shouldRetry: ({ error, retryCount }) => mayRetry(error, retryCount),
        delay: () => waitMs,
      },
    });
  } catch (error) {
    if (isHTTPError(error) && answer) return answer;
    if (isTimeoutError(error)) throw new TimeoutError('No response came in time.');
    throw withoutFramesOfKy(error);
  }
}

/**
 * Returns the error without the stack frames of `ky`, which are of no help and would fill most of the output
 * for an uncaught error.
 */
function withoutFramesOfKy(error: unknown): unknown {
  if (error instanceof Error && error.stack)
    error.stack = error.stack.replaceAll(/\n[^\n]*[\\/]node_modules[\\/]ky[\\/][^\n]*/g, '');
  return error;
}

/** Resolves with the result of the work. Rejects once the signal is aborted, even if `fetch` ignores it. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/** Returns whether a 429 is not about the number of requests. */
function isLimitOfSending(error: HTTPError): boolean {
  const { reason } = Object(error.data);
  return error.response.status === 429 && (reason === 'loop' || reason === 'policy');
}

/** Returns whether the server refused the connection, or the request because of a rate limit. */
function didNothing(error: Error): boolean {
  if (isHTTPError(error)) return error.response.status === 429;
  return Object(error.cause).code === 'ECONNREFUSED';
}

function isTransient(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError || isTimeoutError(error);
}

/** Returns whether a read request that failed with this error may succeed later. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof APIError)) return isTransient(error);
  // `limit_reached`: the workspace has the maximum number of waiting requests. Some of them will end.
  return laterStatuses.includes(error.status) || error.code === 'limit_reached';
}

/**
 * Returns a random delay in milliseconds, so that clients that failed at the same time do not retry at the
 * same time. It is at least half of the full delay, so that none retries at once.
 */
export function delayMs(retry: number, msMax: number = delayMsMax): number {
  return Math.min(msMax, firstDelayMs * 2 ** (retry - 1)) * (0.5 + Math.random() / 2);
}

function askedDelayMs(headers: Headers): number | null {
  const asked = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(asked)) return Number(asked) * 1000;
  const atMs = Date.parse(asked);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - Date.now());
}
