import { lookup } from 'node:dns/promises';
import { Agent, type Dispatcher } from 'undici';
import type { DnsResolve } from '../mail/authenticate/ask-dns.ts';
import {
  type FindAddresses,
  findTargetProblem,
  formProblem,
  guardedLookup,
  type Reach,
  RefusedTargetError,
  type TargetRules,
} from './check-target.ts';

/** Posts to URLs that callers gave. */
export interface Egress {
  /** Returns why events cannot be posted to a URL, or null if they can. */
  findProblem(url: string): Promise<string | null>;
  /** Starts a post. Redirects are not followed. */
  post(request: PostRequest): Post;
  /** Cuts the posts in progress and closes all connections. */
  close(): Promise<void>;
}

/** A connection that was idle for longer may be closed by the other side at the moment of its use. */
const keepAliveMs = 4_000;
const keepAliveMsMax = 60_000;

/** Creates an egress whose posts may go where `reach` allows. */
export function openEgress({ reach, resolve }: { reach: Reach; resolve: DnsResolve }): Egress {
  const rules: TargetRules = {
    reach,
    findAddresses: reach === 'private' ? findBySystem : findByDns(resolve),
  };
  const agent: Dispatcher = new Agent({
    // There are as many connections as posts, because a post that waited for a connection would lose part of its time limit.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMsMax,
    allowH2: false,
    // Each post has its own time limit.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { lookup: guardedLookup(rules), timeout: 10_000 },
  });
  return {
    findProblem: (url) => findTargetProblem(url, rules),
    post: (request) => postTo(agent, rules, request),
    close: () => agent.destroy(),
  };
}

/** Finds names as every program of this machine does, including those in its own files. It occupies a thread while it waits. */
const findBySystem: FindAddresses = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** Finds names by DNS alone and without threads, so that names whose DNS hangs do not keep others from reading files. */
function findByDns(resolve: DnsResolve): FindAddresses {
  return async (hostname) => {
    const answers = await Promise.allSettled([resolve(hostname, 'A'), resolve(hostname, 'AAAA')]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.flat() : []));
    const [failed] = answers.filter((answer) => answer.status === 'rejected');
    if (found.length === 0 && failed) throw failed.reason;
    return found;
  };
}

/** The post to make, and its limits. */
export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  /** From the start of the post to the end of the response. */
  timeoutMs: number;
  /** The error if the time limit is reached. */
  timeoutError: string;
  /** The number of bytes of the response that are read before the connection is dropped. */
  answerBytesMax: number;
}

/** The outcome of a post. It has a status and no error if the response arrived whole, or as much of it as is read. */
export interface PostOutcome {
  status: number | null;
  error: string | null;
  retryAfter: string | null;
  durationMs: number;
}

/** A post in progress. */
export interface Post {
  /** Never rejects. */
  outcome: Promise<PostOutcome>;
  /** Ends the post at once with this error. */
  abort(error: string): void;
}

/** Posts with the agent. There is no connection to a refused URL. */
export function postTo(agent: Dispatcher, rules: TargetRules, request: PostRequest): Post {
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
      // The post ended while it waited for a connection, and must no longer be sent.
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
}

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

/** Returns what went wrong, in words that reveal nothing about the network of the host. */
function describeFailure(error: Error & { code?: string; errors?: Error[] }): string {
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
}
