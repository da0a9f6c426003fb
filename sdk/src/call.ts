/*
 * The only code that talks to the network. What a call sends is made once, so that all its attempts are the same but for the key,
 * which may have changed in between.
 */
import { dataOf, fetchWhole } from './answer.ts';
import { APIError } from './api-error.ts';
import { type Answered, APIPromise } from './api-promise.ts';
import { AbortedError, TimeoutError } from './errors.ts';
import { realtime } from './generated/brand.ts';
import { type Route, type RouteAnswers, type RouteName, routes } from './generated/routes.ts';
import { type Logger, loggableHeaders } from './log.ts';
import { type ItemOf, type Page, PagePromise, pageOf } from './page.ts';
import type { PersistentRequests } from './persistent-requests.ts';
import { ReadMessages } from './read-messages.ts';
import {
  attemptMsMax,
  bodyOf,
  type CallInput,
  checkLimits,
  headersOf,
  type RequestOptions,
  urlOf,
} from './request.ts';
import { isRepeatable, makeAttempts } from './retry.ts';

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
  method: Route['method'];
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** What every attempt waits for. */
  placesFound: Promise<unknown>;
  attempts: number;
  /** Whether an attempt may have done its work without our having seen the answer. */
  isUnsure: boolean;
}

/** Makes the calls of a client. */
export class Caller {
  /** The messages that were in answers. */
  readonly read = new ReadMessages();
  readonly #settings: CallSettings;
  /** Resolves once the calls that find a place in the log have found it. */
  #placesFound: Promise<unknown> = Promise.resolve();

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

  /**
   * Finds the newest event of the log; null while it is empty. Calls that follow wait for the answer, so that what they cause is
   * behind that event, however long the answer takes, and however often it is asked for.
   */
  newestEvent(requests: PersistentRequests): Promise<string | null> {
    const query = { after: 'latest', limit: 1 };
    const before = this.#placesFound;
    const found = requests.make(async (options) => {
      // A repeat must not wait for what it is to find itself.
      const page = await this.#send<RouteAnswers['events.list']>('events.list', { query }, options, before);
      return page.data.next_cursor;
    });
    const settled = found.catch(() => null);
    this.#placesFound = before.then(() => settled);
    return found;
  }

  /** Opens the realtime socket; it tells of a failure by closing. */
  async openSocket(query: object): Promise<WebSocket> {
    const { baseURL, getApiKey } = this.#settings;
    const url = urlOf(baseURL, 'events.list', { method: 'GET', path: realtime.path }, { query });
    const protocols = [realtime.subprotocol, `${realtime.bearerPrefix}${await getApiKey()}`];
    return new WebSocket(url.replace(/^http/i, 'ws'), protocols);
  }

  /** Where the API is. */
  get baseURL(): string {
    return this.#settings.baseURL;
  }

  /** Whether requests go by a function of the caller, which a socket would pass by. */
  get hasOwnFetch(): boolean {
    return this.#settings.fetch !== undefined;
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
    // A log always has a cursor to go on from, so there it is the empty page that ends the list.
    const isLast = cursor === null || (continuesAfter === true && items.length === 0);
    // Only the first page is waited for; what follows it is there already.
    const further = continuesAfter ? { after: cursor } : { cursor, wait_seconds: undefined };
    const next = { ...input, query: { ...input.query, ...further } };
    const askNext = isLast ? null : () => this.list(name, next, options);
    return { ...answered, data: pageOf(answered.data, { items, askNext }) };
  }

  async #send<Data>(
    name: RouteName,
    input: CallInput,
    options: RequestOptions,
    placesFound = this.#placesFound,
  ): Promise<Answered<Data>> {
    checkLimits(options);
    const { log, timeoutMs, maxRetries, baseURL } = this.#settings;
    const route: Route = routes[name];
    const { method } = route;
    const url = urlOf(baseURL, name, route, input);
    const body = await bodyOf(route, input.body);
    const headers = headersOf(body, options.headers);
    const sent = { name, method, url, headers, body };
    const journey: Journey = { ...sent, placesFound, attempts: 0, isUnsure: false };
    const retriesMax = isRepeatable(route) ? (options.maxRetries ?? maxRetries) : 0;
    const startMs = performance.now();
    const passedMs = () => Math.round(performance.now() - startMs);
    try {
      const response = await makeAttempts((signal) => this.#attempt(journey, signal), {
        retriesMax,
        attemptMsMax: attemptMsMax(input, options, timeoutMs),
        signal: options.signal,
        onRetry: (retry, failure) => log.info(`${name}: retry ${retry} of ${retriesMax} after ${failure}`),
      });
      const data = await dataOf<Data>(response);
      this.read.note(data);
      const requestId = response.headers.get('x-request-id');
      log.info(`${name}: ${response.status} after ${passedMs()} ms`, { requestId });
      return { data, response, requestId };
    } catch (thrown) {
      const error = errorFor(thrown, journey, options.signal);
      log.info(`${name}: ${failureOf(error)} after ${passedMs()} ms`);
      throw error;
    }
  }

  async #attempt(journey: Journey, signal: AbortSignal): Promise<Response> {
    const { log, getApiKey } = this.#settings;
    const fetch = this.#settings.fetch ?? globalThis.fetch;
    const { name, method, url, body, isUnsure } = journey;
    await journey.placesFound;
    journey.attempts += 1;
    const label = `${name}: attempt ${journey.attempts}`;
    const headers = { ...journey.headers, authorization: `Bearer ${await getApiKey()}` };
    log.debug(`${label}: ${method} ${url}`, loggableHeaders(Object.entries(headers)));
    journey.isUnsure = true;
    const response = await fetchWhole(fetch, url, {
      method,
      headers,
      body: body ?? null,
      signal,
      // A redirect that is followed turns a POST into a GET.
      redirect: 'manual',
    });
    journey.isUnsure = isUnsure || response.status === 408 || response.status >= 500;
    log.debug(`${label}: ${response.status}`, loggableHeaders(response.headers));
    // What an earlier attempt may have deleted already is deleted: that is what was asked for.
    const isGone = response.status === 404 && method === 'DELETE' && isUnsure;
    return isGone ? new Response(null, { status: 204, headers: response.headers }) : response;
  }
}

function errorFor(thrown: unknown, { name, attempts }: Journey, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return new AbortedError(`${name} was aborted.`, { cause: signal.reason });
  if (!(thrown instanceof TimeoutError)) return thrown;
  return new TimeoutError(`${name}: ${thrown.message}${attempts > 1 ? `, in attempt ${attempts}` : ''}.`);
}

/** A failure as it may be logged: messages of errors can hold parts of requests and answers. */
function failureOf(error: unknown): string {
  if (error instanceof APIError) return `${error.status} ${error.code} (request ${error.requestId})`;
  return error instanceof Error ? error.name : 'failure';
}
