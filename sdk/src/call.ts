/*
 * The only code that talks to the network. One call is one ky request, which repeats attempts where that is safe, waits between
 * them and keeps the time limits. An attempt reads its answer to the end, so that a connection that breaks in the middle of an
 * answer counts as a failed attempt like any other.
 */
import ky, { HTTPError, isTimeoutError } from 'ky';
import { errorOf } from './api-error.ts';
import { type Answered, APIPromise } from './api-promise.ts';
import { encodeAttachments } from './encode-attachments.ts';
import { AbortedError, ConnectionError, TimeoutError } from './errors.ts';
import { userAgent } from './generated/brand.ts';
import { type Route, type RouteAnswers, type RouteName, routes } from './generated/routes.ts';
import { type Logger, loggableHeaders } from './log.ts';
import { type ItemOf, type Page, PagePromise, pageOf } from './page.ts';
import {
  attemptMsMax,
  type CallInput,
  checkLimits,
  type RequestOptions,
  timeoutMsMax,
  urlOf,
} from './request.ts';
import { isRepeatable, retryOptions } from './retry.ts';
import { ServerClock } from './server-clock.ts';

/** What all calls of a client share. */
export interface CallSettings {
  baseURL: string;
  /** Gives the key of one attempt. */
  getApiKey(): Promise<string>;
  timeoutMs: number;
  maxRetries: number;
  fetch: typeof globalThis.fetch | undefined;
  log: Logger;
}

type ListName = {
  [Name in RouteName]: (typeof routes)[Name] extends { items: string } ? Name : never;
}[RouteName];

/** One call on its way. */
interface Journey {
  name: RouteName;
  route: Route;
  url: string;
  attempts: number;
  /** Whether an attempt may have done its work without our having seen the answer. */
  isUnsure: boolean;
}

/** Makes the calls of a client. */
export class Caller {
  /** The time of the server as its answers tell it. */
  readonly clock = new ServerClock();
  readonly #settings: CallSettings;

  constructor(settings: CallSettings) {
    this.#settings = settings;
  }

  /** Calls a route. */
  call<Name extends RouteName>(
    name: Name,
    input: CallInput = {},
    options: RequestOptions = {},
  ): APIPromise<RouteAnswers[Name]> {
    return new APIPromise(this.#send<RouteAnswers[Name]>(name, input, options));
  }

  /** Calls a route whose answer is one page of a list. */
  list<Name extends ListName>(
    name: Name,
    input: CallInput = {},
    options: RequestOptions = {},
  ): PagePromise<RouteAnswers[Name]> {
    return new PagePromise(this.#sendForPage(name, input, options));
  }

  async #sendForPage<Name extends ListName>(
    name: Name,
    input: CallInput,
    options: RequestOptions,
  ): Promise<Answered<Page<RouteAnswers[Name]>>> {
    const answered = await this.#send<RouteAnswers[Name]>(name, input, options);
    const { items: key, continuesAfter }: Route & { items: string } = routes[name];
    const fields: Record<string, unknown> = { ...answered.data };
    const items = (fields[key] ?? []) as ItemOf<RouteAnswers[Name]>[];
    const cursor = fields.next_cursor ?? null;
    for (const item of items) this.clock.observe(createdAt(item));
    // A log always has a cursor to go on from, so there it is the empty page that ends the list.
    const isLast = cursor === null || (continuesAfter === true && items.length === 0);
    // Only the first page is waited for; what follows it is there already.
    const further = continuesAfter ? { after: cursor } : { cursor, wait_seconds: undefined };
    const next = { ...input, query: { ...input.query, ...further } };
    const askNext = isLast ? null : () => this.list(name, next, options);
    return { ...answered, data: pageOf(answered.data, { items, askNext }) };
  }

  async #send<Data>(name: RouteName, input: CallInput, options: RequestOptions): Promise<Answered<Data>> {
    checkLimits(options);
    const { log, timeoutMs, maxRetries, baseURL } = this.#settings;
    const route: Route = routes[name];
    const url = urlOf(baseURL, name, route, input);
    const body = await bodyOf(route, input.body);
    const journey: Journey = { name, route, url, attempts: 0, isUnsure: false };
    const attemptMs = attemptMsMax(input, options, timeoutMs);
    const retriesMax = isRepeatable(route) ? (options.maxRetries ?? maxRetries) : 0;
    const totalMs = Math.min(attemptMs * (retriesMax + 1), timeoutMsMax);
    const startMs = performance.now();
    const outcome = (what: unknown, requestId: string | null) =>
      log.info(`${name}: ${what} after ${Math.round(performance.now() - startMs)} ms`, { requestId });
    try {
      const response = await ky(url, {
        method: route.method,
        headers: { accept: 'application/json', 'user-agent': userAgent, ...options.headers },
        ...(body === undefined ? {} : { json: body }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
        redirect: 'manual',
        timeout: attemptMs,
        totalTimeout: totalMs,
        retry: retryOptions(retriesMax, totalMs),
        fetch: (request) => this.#attempt(new Request(request), journey),
      });
      const data = await dataOf<Data>(response);
      this.clock.observe(createdAt(data));
      const requestId = response.headers.get('x-request-id');
      outcome(response.status, requestId);
      return { data, response, requestId };
    } catch (thrown) {
      const error = errorFor(thrown, journey, attemptMs, options.signal);
      outcome(error instanceof Error ? error.name : error, null);
      throw error;
    }
  }

  async #attempt(request: Request, journey: Journey): Promise<Response> {
    const { log, getApiKey } = this.#settings;
    const fetch = this.#settings.fetch ?? globalThis.fetch;
    const { name, isUnsure } = journey;
    journey.attempts += 1;
    request.headers.set('authorization', `Bearer ${await getApiKey()}`);
    log.debug(
      `${name}: attempt ${journey.attempts}: ${request.method} ${request.url}`,
      loggableHeaders(request.headers),
    );
    journey.isUnsure = true;
    const response = await readWhole(fetch, request);
    journey.isUnsure = isUnsure || response.status === 408 || response.status >= 500;
    this.clock.observe(response.headers.get('date'));
    log.debug(`${name}: attempt ${journey.attempts}: ${response.status}`, loggableHeaders(response.headers));
    // What an earlier attempt may have deleted already is deleted: that is what was asked for.
    const isGone = response.status === 404 && journey.route.method === 'DELETE' && isUnsure;
    return isGone ? new Response(null, { status: 204, headers: response.headers }) : response;
  }
}

async function bodyOf(route: Route, body: object | undefined): Promise<object | undefined> {
  if (body === undefined && !route.takesClientId) return undefined;
  const fields: { client_id?: string; attachments?: unknown } = { ...body };
  if (route.takesClientId) fields.client_id ??= crypto.randomUUID();
  if (route.takesAttachments && Array.isArray(fields.attachments)) {
    fields.attachments = await encodeAttachments(fields.attachments);
  }
  return fields;
}

async function readWhole(fetch: typeof globalThis.fetch, request: Request): Promise<Response> {
  try {
    const response = await fetch(request);
    const { status, statusText, headers } = response;
    const body = [204, 205, 304].includes(status) ? null : await response.arrayBuffer();
    return new Response(body, { status, statusText, headers });
  } catch (cause) {
    if (request.signal.aborted) throw cause;
    throw new ConnectionError(`${request.method} ${request.url}: no answer, since ${reasonOf(cause)}.`, {
      cause,
    });
  }
}

/** The reason for a failed connection is in the innermost error: `fetch failed` alone says nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error.message;
}

async function dataOf<Data>(response: Response): Promise<Data> {
  const { status, headers } = response;
  const text = await response.clone().text();
  if (status === 204) return undefined as Data;
  try {
    return JSON.parse(text) as Data;
  } catch {
    throw errorOf({ status, headers, body: text });
  }
}

function createdAt(data: unknown): string | null {
  const has = typeof data === 'object' && data !== null && 'created_at' in data;
  return has && typeof data.created_at === 'string' ? data.created_at : null;
}

function errorFor(
  thrown: unknown,
  journey: Journey,
  attemptMs: number,
  signal: AbortSignal | undefined,
): unknown {
  const { name, attempts } = journey;
  if (signal?.aborted) return new AbortedError(`${name} was aborted.`, { cause: signal.reason });
  if (thrown instanceof HTTPError) {
    const { status, headers } = thrown.response;
    return errorOf({ status, headers, body: thrown.data });
  }
  if (!isTimeoutError(thrown) || thrown instanceof TimeoutError) return thrown;
  const times = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  return new TimeoutError(`${name}: no answer within ${attemptMs} ms (${times}).`, { cause: thrown });
}
