import { checkOptions } from '../check-options.ts';
import { PostriderError } from '../errors.ts';
import { userAgent } from '../generated/brand.ts';
import type { Route } from '../generated/routes.ts';
import { encodeAttachments } from './encode-attachments.ts';

/** The options of one call. */
export interface RequestOptions {
  /** Ends the call with an `AbortedError` when the signal is aborted. */
  signal?: AbortSignal | undefined;
  /** The time limit of each attempt, in milliseconds. Default: that of the client. */
  timeout?: number | undefined;
  /** The maximum number of retries of a call that may be repeated. Default: that of the client. */
  maxRetries?: number | undefined;
  /** Additional headers. */
  headers?: Record<string, string> | undefined;
}

/** The input of a call. */
export interface CallInput {
  /** The path below the base URL, in place of that of the route. */
  path?: string;
  /** The id or the address in the path. */
  id?: string;
  query?: object | undefined;
  body?: object | undefined;
}

/**
 * Returns the URL of a call. Throws a `PostriderError` if an id is missing, because the path without it
 * belongs to another route.
 */
export function requestUrl(
  baseURL: string,
  name: string,
  route: Route,
  { path, id, query = {} }: CallInput,
): string {
  const filled = path ?? route.path.replace(/:\w+/, () => encodeSegment(name, id));
  const search = new URLSearchParams(Object.entries(query).flatMap(([key, value]) => toPairs(key, value)));
  return `${baseURL}${filled}${search.size > 0 ? `?${search}` : ''}`;
}

/** Returns an id as a segment of a path. Throws a `PostriderError` if it is none. */
export function encodeSegment(name: string, id: unknown): string {
  if (typeof id !== 'string' || id === '')
    throw new PostriderError(`${name} needs an id, but got ${JSON.stringify(id)}.`);
  // URLs drop these segments, even if they are encoded, so the path would name something else.
  if (id === '.' || id === '..') throw new PostriderError(`${name}: ${JSON.stringify(id)} is not an id.`);
  return encodeURIComponent(id);
}

const methods: readonly string[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/**
 * Throws a `PostriderError` if the method or the path below the base URL is invalid. A path with the segments
 * `.` or `..` is refused, even if they are encoded, because URLs resolve them.
 */
export function checkPlace(name: string, method: unknown, path: unknown): void {
  if (!methods.includes(String(method))) {
    throw new PostriderError(`${name}: the method must be one of ${methods.join(', ')}.`);
  }
  const isPath = typeof path === 'string' && /^\/[^?#\\]*$/.test(path);
  if (!isPath || /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path)) {
    throw new PostriderError(
      `${name}: the path must begin with a slash, be relative to the base URL, and have no query.`,
    );
  }
}

function toPairs(key: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return [];
  return [[key, value instanceof Date ? value.toISOString() : String(value)]];
}

/** Returns the headers of a call without the key, with lower-case names. */
export function requestHeaders(
  body: string | undefined,
  own: Record<string, string> = {},
): Record<string, string> {
  const headers = new Headers({ accept: 'application/json', 'user-agent': userAgent });
  if (body !== undefined) headers.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  return Object.fromEntries(headers);
}

/**
 * Returns the body of a call as JSON, or undefined if it has none. On routes that take a `client_id`, all
 * attempts share the same one.
 */
export async function requestBody(route: Route, body: object | undefined): Promise<string | undefined> {
  if (body === undefined && !route.takesClientId) return undefined;
  const fields: { client_id?: string; attachments?: unknown } = { ...body };
  if (route.takesClientId) fields.client_id ??= crypto.randomUUID();
  if (route.takesAttachments && Array.isArray(fields.attachments)) {
    fields.attachments = await encodeAttachments(fields.attachments);
  }
  return JSON.stringify(fields);
}

/** How many milliseconds a waiting request may take in addition to its wait. */
const waitMarginMs = 10_000;

/**
 * Returns the time limit of one attempt, in milliseconds: that of the call if it has one, otherwise that of
 * the client or, if it is longer, the time that the requested wait needs.
 */
export function attemptMsMax({ query }: CallInput, options: RequestOptions, timeoutMs: number): number {
  if (options.timeout !== undefined) return options.timeout;
  const waitSeconds = query !== undefined && 'wait_seconds' in query ? Number(query.wait_seconds ?? 0) : 0;
  return waitSeconds > 0 ? Math.max(timeoutMs, waitSeconds * 1000 + waitMarginMs) : timeoutMs;
}

const optionNames = [
  'signal',
  'timeout',
  'maxRetries',
  'headers',
] as const satisfies (keyof RequestOptions)[];

/** Throws a `PostriderError` if the options of a call are unknown or invalid. */
export function checkRequestOptions(name: string, options: RequestOptions): void {
  checkOptions(name, options, optionNames);
  checkLimits(options);
}

/** The longest time that timers can be set to, in milliseconds. */
const timeoutMsMax = 2_147_483_647;

/** Throws a `PostriderError` if a time limit or a number of retries is invalid. */
export function checkLimits({ timeout, maxRetries }: Pick<RequestOptions, 'timeout' | 'maxRetries'>): void {
  if (timeout !== undefined && !(timeout > 0 && timeout <= timeoutMsMax)) {
    throw new PostriderError(
      `timeout must be above 0 and at most ${timeoutMsMax} milliseconds, not ${timeout}.`,
    );
  }
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0)) {
    throw new PostriderError(`maxRetries must be a whole number of 0 or more, not ${maxRetries}.`);
  }
}
