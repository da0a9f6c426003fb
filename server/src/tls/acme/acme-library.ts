import type { Agent } from 'node:https';
import { sayError } from '../../lib/start/start-error.ts';

type Library = typeof import('acme-client');

/** ACME servers respond within seconds, and with a few kilobytes. */
const answerMs = 30_000;
const answerBytesMax = 1_048_576;

/** Thrown if an ACME server, or a proxy before it, is busy or has had enough requests, and says when to come again. */
export class ComeAgainLater extends Error {
  override name = 'ComeAgainLater' as const;
  readonly waitMs: number;
  constructor(text: string, waitMs: number) {
    super(text);
    this.waitMs = waitMs;
  }
}

/**
 * Returns the library that speaks ACME. It is large and seldom needed, so it is loaded when it is. Its requests go by `agent`, and fail
 * with `ComeAgainLater` rather than sleep as long as the server says, which may be days.
 */
export async function loadAcmeLibrary(agent: Agent): Promise<Library> {
  const library = await import('acme-client');
  const { defaults, interceptors } = library.axios;
  Object.assign(defaults, {
    httpsAgent: agent,
    timeout: answerMs,
    maxContentLength: answerBytesMax,
    maxRedirects: 0,
  });
  // Its own ones make the attempts again that we make, and do so inside one call.
  interceptors.request.clear();
  interceptors.response.clear();
  interceptors.response.use(
    (response) => {
      const { status, data, headers } = response;
      if (status !== 429 && status !== 503) return response;
      throw new ComeAgainLater(
        `The ACME server answers ${status}: ${describeProblem(data)}`,
        readRetryAfter(String(headers['retry-after'] ?? '')),
      );
    },
    (error: unknown) => {
      // Its errors have the whole request in them, which no log needs.
      throw new Error(`The ACME server cannot be reached: ${sayError(error)}`);
    },
  );
  return library;
}

const textMax = 300;

/** Returns the problem in a response (RFC 8555, section 6.7), or otherwise the beginning of its body. */
export function describeProblem(data: unknown): string {
  const { detail } = (data ?? {}) as { detail?: unknown };
  const text = typeof detail === 'string' ? detail : typeof data === 'string' ? data : '';
  return text.trim() === '' ? 'no reason is given' : text.trim().slice(0, textMax);
}

/** Returns the time of a Retry-After header in ms, whether it has seconds or a date; 0 if it has neither. */
export function readRetryAfter(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - Date.now());
}
