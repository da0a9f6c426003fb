/*
 * The attempts of one call. GET, PATCH and DELETE may be repeated, because a repeat leaves the same state,
 * and so may a POST with a `client_id`, by which the server recognises a repeat. A call is repeated after a
 * failed connection, an attempt that took too long, and a status that says "later". Any other POST is repeated
 * only if the server did nothing. The wait before a repeat is what the server asks for, else a delay that
 * doubles. If that wait is too long for the call or for patience, the call fails with the failure itself, not
 * with a timeout.
 */
import { APIError } from './api-error.ts';
import { ConnectionError, TimeoutError } from './errors.ts';
import type { Route } from './generated/routes.ts';
import { pause } from './pause.ts';

const laterStatuses = [408, 429, 500, 502, 503, 504];
const firstDelayMs = 300;
const delayMsMax = 8_000;
const askedDelayMsMax = 60_000;

/** How attempts are made. */
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
  /** Called before each retry with what went wrong: a status, or the name of an error. */
  onRetry(retry: number, failure: number | string): void;
}

/** Returns whether a call of a route may be repeated after an attempt that may have taken effect. */
export function isRepeatable({ method, takesClientId }: Pick<Route, 'method' | 'takesClientId'>): boolean {
  return method !== 'POST' || takesClientId === true;
}

/**
 * Makes attempts until one gets a final response, and returns that. Rejects when the last attempt got no
 * response.
 */
export async function makeAttempts(
  attempt: (signal: AbortSignal) => Promise<Response>,
  settings: AttemptSettings,
): Promise<Response> {
  const { isRepeatable, retriesMax, attemptMsMax, signal, onRetry } = settings;
  const endMs = performance.now() + attemptMsMax * (retriesMax + 1);
  const leftMs = () => endMs - performance.now();
  for (let retry = 1; ; retry++) {
    const outcome = await limitTime(attempt, Math.min(attemptMsMax, leftMs()), signal).catch(asFailure);
    const isAnswer = outcome instanceof Response;
    const isHarmless = isRepeatable || didNothing(outcome);
    const mayHelp = isAnswer ? laterStatuses.includes(outcome.status) : isTransient(outcome.error);
    const waitMs = (isAnswer ? askedDelayMs(outcome.headers) : null) ?? delayMs(retry);
    const isOver = signal?.aborted || retry > retriesMax;
    if (isOver || !isHarmless || !mayHelp || waitMs > askedDelayMsMax || waitMs >= leftMs()) {
      if (isAnswer) return outcome;
      throw outcome.error;
    }
    onRetry(retry, isAnswer ? outcome.status : outcome.error.name);
    await pause(waitMs, signal);
  }
}

/** Returns whether the server refused the connection, or the request because of its rate. */
function didNothing(outcome: Response | { error: Error }): boolean {
  if (outcome instanceof Response) return outcome.status === 429;
  return Object(outcome.error.cause).code === 'ECONNREFUSED';
}

function asFailure(error: Error): { error: Error } {
  return { error };
}

function isTransient(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

/** Returns whether a request that only reads, and that failed with this error, may succeed later. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof APIError)) return isTransient(error);
  // The workspace has as many waiting requests as it may have. Some of them will end.
  return laterStatuses.includes(error.status) || error.code === 'limit_reached';
}

/**
 * Returns a random delay in milliseconds, so that clients that failed together do not return together. It is
 * at least half of the full delay, so that none returns at once.
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

/**
 * Ends one attempt when its time is up or the caller aborts, even if the given `fetch` ignores the signal.
 */
async function limitTime<Result>(
  attempt: (signal: AbortSignal) => Promise<Result>,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<Result> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const abort = () => limit.abort(signal?.reason);
  const timer = setTimeout(() => limit.abort(new TimeoutError('No answer came in time.')), ms);
  signal?.addEventListener('abort', abort, { once: true });
  const aborted = new Promise<never>((_, reject) => {
    limit.signal.addEventListener('abort', () => reject(limit.signal.reason), { once: true });
  });
  try {
    return await Promise.race([attempt(limit.signal), aborted]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
