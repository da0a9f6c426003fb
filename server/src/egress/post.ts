import type { Dispatcher } from 'undici';
import { formProblem, RefusedTargetError, type TargetRules } from './check-target.ts';

/** What to post, and within which limits. */
export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  /** From the beginning to the end of the answer. */
  timeoutMs: number;
  /** How the time limit is told where it was reached. */
  timeoutError: string;
  /** How much of the answer is read before the connection is dropped. */
  answerBytesMax: number;
}

/** What came of a post: a status and no error where an answer came whole, or as much of it as is read. */
export interface PostOutcome {
  status: number | null;
  error: string | null;
  retryAfter: string | null;
  durationMs: number;
}

/** A post that is under way. */
export interface Post {
  /** Never rejects. */
  outcome: Promise<PostOutcome>;
  /** Ends it at once, with this error. */
  abort(error: string): void;
}

/** Posts by the agent; what is refused is not connected to. */
export const postTo = (agent: Dispatcher, rules: TargetRules, request: PostRequest): Post => {
  const startedAt = performance.now();
  const { promise: outcome, resolve } = Promise.withResolvers<PostOutcome>();
  let controller: Dispatcher.DispatchController | null = null;
  let status: number | null = null;
  let retryAfter: string | null = null;
  let isOver = false;
  let left = request.answerBytesMax;
  const end = (error: string | null) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    resolve({ status, error, retryAfter, durationMs: Math.round(performance.now() - startedAt) });
  };
  const cut = (error: string | null) => {
    end(error);
    controller?.abort(new Error(error ?? 'read enough'));
  };
  const timer = setTimeout(() => cut(request.timeoutError), request.timeoutMs);
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      controller = started;
      // It was ended while it waited for a connection, and must not go out any more.
      if (isOver) started.abort(new Error('ended before it began'));
    },
    onResponseStart: (_, statusCode, headers) => {
      if (statusCode < 200) return;
      status = statusCode;
      retryAfter = [headers['retry-after']].flat()[0] ?? null;
    },
    onResponseData: (_, chunk) => {
      left -= chunk.length;
      if (left <= 0) cut(null);
    },
    onResponseEnd: () => end(null),
    onResponseError: (_, error) => end(describeFailure(error)),
  };
  try {
    const url = new URL(request.url);
    const problem = formProblem(url, rules);
    if (problem !== null) throw new RefusedTargetError(problem);
    const { origin, pathname, search } = url;
    const { headers, body } = request;
    agent.dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, handler);
  } catch (error) {
    end(describeFailure(error as Error));
  }
  return { outcome, abort: cut };
};

const knownFailures: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  UND_ERR_SOCKET: 'connection closed before the answer was whole',
  UND_ERR_CONNECT_TIMEOUT: 'timeout while connecting',
  ETIMEDOUT: 'timeout while connecting',
  ENOTFOUND: 'the host name has no address',
  ENODATA: 'the host name has no address',
  EAI_AGAIN: 'the host name was not resolved',
  ESERVFAIL: 'the host name was not resolved',
  ETIMEOUT: 'the host name was not resolved',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'host unreachable',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
};

/** Says what went wrong in words that tell nothing of the network behind the host name. */
const describeFailure = (error: Error & { code?: string; errors?: Error[] }): string => {
  if (error instanceof RefusedTargetError) return `the URL ${error.message}`;
  // Several addresses were tried in turn.
  const [first] = error.errors ?? [];
  if (first) return describeFailure(first);
  const { code = '' } = error;
  if (error.name === 'HTTPParserError') return 'the answer is not HTTP';
  if (knownFailures[code]) return knownFailures[code];
  if (/^(ERR_TLS|ERR_SSL|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/.test(code))
    return `TLS: ${code}`;
  return code === '' ? 'the request failed' : `the request failed: ${code}`;
};
