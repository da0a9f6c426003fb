/*
 * All network access starts here. The request of a call is built once, so all its attempts are identical
 * except for the key, which may change in between.
 */

import { PostriderError } from '../errors.ts';
import { eventStream, realtime } from '../generated/brand.ts';
import { type Route, type RouteAnswers, type RouteName, readRoute } from '../generated/routes.ts';
import type { Attachment } from '../generated/types.ts';
import { type Logger, loggableHeaders } from '../log.ts';
import type { PersistentRequests } from '../streams/persistent-requests.ts';
import { ReadMessages } from '../streams/read-messages.ts';
import { fetchWhole, readData } from './answer.ts';
import { type Answered, APIPromise } from './api-promise.ts';
import { describeFailure, errorFor } from './call-failure.ts';
import { findTarget, type Target } from './call-target.ts';
import { downloadFile } from './download-file.ts';
import { type ItemOf, makePage, type Page, PagePromise } from './page.ts';
import {
  attemptMsMax,
  type CallInput,
  checkPlace,
  checkRequestOptions,
  type RequestOptions,
  requestBody,
  requestHeaders,
  requestUrl,
} from './request.ts';
import { type AttemptSettings, isRepeatable, makeAttempts } from './retry.ts';

/** The settings that all calls of a client share. */
export interface CallSettings {
  baseURL: string;
  /** Returns the key for one attempt. */
  getApiKey(): Promise<string>;
  timeoutMs: number;
  maxRetries: number;
  fetch: typeof globalThis.fetch | undefined;
  log: Logger;
  /** Headers of every call. */
  headers?: Record<string, string>;
}

type ListName = {
  [Name in RouteName]: RouteAnswers[Name] extends { next_cursor: string | null } ? Name : never;
}[RouteName];

/** One call in progress. */
interface CallState {
  name: string;
  method: Route['method'];
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** Every attempt waits for this promise. */
  placesFound: Promise<unknown>;
  attempts: number;
  /** Whether an attempt may have taken effect although its response was lost. */
  isUnsure: boolean;
}

/** Makes the calls of a client. */
export class Caller {
  /** The messages that responses contained. */
  readonly read: ReadMessages;
  readonly #settings: CallSettings;
  /** `found` resolves once the calls that look for a place in the log have ended. */
  readonly #places: { found: Promise<unknown> };

  /** Creates a caller. With a `base`, it shares the knowledge of that caller about the log. */
  constructor(settings: CallSettings, base?: Caller) {
    this.#settings = settings;
    this.read = base?.read ?? new ReadMessages();
    this.#places = base === undefined ? { found: Promise.resolve() } : base.#places;
  }

  /** Calls a route. */
  call<Name extends RouteName>(
    name: Name,
    input: CallInput = {},
    options: RequestOptions = {},
  ): APIPromise<RouteAnswers[Name]> {
    return new APIPromise(this.#send<RouteAnswers[Name]>(findTarget(name), input, options));
  }

  /** Calls a route that reports a repeat as an error, so the call may be retried. */
  callRepeatably<Name extends RouteName>(
    name: Name,
    input: CallInput,
    options: RequestOptions,
  ): APIPromise<RouteAnswers[Name]> {
    const target = { ...findTarget(name), isRepeatable: true };
    return new APIPromise(this.#send<RouteAnswers[Name]>(target, input, options));
  }

  /** Calls a route by its method and path. */
  request<Data>(
    method: Route['method'],
    path: string,
    input: CallInput,
    options: RequestOptions,
  ): APIPromise<Data> {
    const name = `${method} ${path}`;
    checkPlace(name, method, path);
    return new APIPromise(this.#send<Data>({ name, method, path: '' }, { ...input, path }, options));
  }

  /** Downloads a file by a fresh link. */
  download(id: string, options: RequestOptions = {}): APIPromise<Uint8Array<ArrayBuffer>> {
    return new APIPromise(this.#download(id, options));
  }

  async #download(id: string, options: RequestOptions): Promise<Answered<Uint8Array<ArrayBuffer>>> {
    const link = await this.#send<Attachment>(findTarget('attachments.get'), { id }, options);
    const settings = this.#attemptsOf('attachments.download', { method: 'GET', path: '' }, {}, options);
    return downloadFile(link.data.url, this.#settings.fetch ?? globalThis.fetch, settings);
  }

  /** Calls a route that returns one page of a list. */
  list<Name extends ListName>(
    name: Name,
    input: CallInput = {},
    options: RequestOptions = {},
  ): PagePromise<RouteAnswers[Name]> {
    return new PagePromise(this.#sendForPage<RouteAnswers[Name]>(findTarget(name), input, options));
  }

  /** Calls a route that returns one page of a list, by its path. */
  requestPage<Answer extends object>(
    path: string,
    input: CallInput,
    options: RequestOptions,
  ): PagePromise<Answer> {
    const target = { name: `GET ${path}`, method: 'GET', path: '' } as const;
    return new PagePromise(this.#sendForPage<Answer>(target, { ...input, path }, options));
  }

  /**
   * Returns the id of the newest event in the log, or null if the log is empty. Later calls of this client
   * wait until it is known, so the events that they cause come after it, however many attempts this takes.
   */
  newestEvent(requests: PersistentRequests): Promise<string | null> {
    const query = { after: 'latest', limit: 1 };
    const before = this.#places.found;
    const found = requests.make(async (options) => {
      // A repeat of this request must not wait for its own result.
      const target = findTarget('events.list');
      const page = await this.#send<RouteAnswers['events.list']>(target, { query }, options, before);
      return page.data.next_cursor;
    });
    const settled = found.catch(() => null);
    this.#places.found = before.then(() => settled);
    return found;
  }

  /** Opens the realtime socket, which reports a failure by closing. */
  async openSocket(query: object): Promise<WebSocket> {
    const { baseURL, getApiKey } = this.#settings;
    const url = requestUrl(baseURL, 'events.stream', { method: 'GET', path: realtime.path }, { query });
    const protocols = [realtime.subprotocol, `${realtime.bearerPrefix}${await getApiKey()}`];
    return new WebSocket(url.replace(/^http/i, 'ws'), protocols);
  }

  /** Opens a stream of server-sent events and returns its body. Rejects if the response is another one. */
  async openStream(query: object, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const { baseURL, getApiKey, fetch = globalThis.fetch } = this.#settings;
    const url = requestUrl(baseURL, 'events.stream', readRoute('events.list'), { query });
    const headers = requestHeaders(undefined, {
      accept: eventStream.contentType,
      authorization: `Bearer ${await getApiKey()}`,
    });
    const { headers: answered, body } = await fetch(url, { headers, signal, redirect: 'manual' });
    if (body && answered.get('content-type')?.startsWith(eventStream.contentType)) return body;
    await body?.cancel();
    throw new PostriderError('The response is not a stream of events.');
  }

  /** The base URL of the API. */
  get baseURL(): string {
    return this.#settings.baseURL;
  }

  /** Whether requests use a custom `fetch`, which a socket would bypass. */
  get hasOwnFetch(): boolean {
    return this.#settings.fetch !== undefined;
  }

  async #sendForPage<Answer extends object>(
    target: Target,
    input: CallInput,
    options: RequestOptions,
  ): Promise<Answered<Page<Answer>>> {
    const answered = await this.#send<Answer>(target, input, options);
    const { continuesAfter } = target;
    const fields = { ...answered.data } as Record<string, unknown>;
    const items = (Object.values(fields).find(Array.isArray) ?? []) as ItemOf<Answer>[];
    const cursor = fields.next_cursor ?? null;
    // The event log always has a next cursor, so its list ends with an empty page.
    const isLast = cursor === null || (continuesAfter && items.length === 0);
    // Only the first page waits: the items of the following pages exist already.
    const further = continuesAfter ? { after: cursor } : { cursor, wait_seconds: undefined };
    const next = { ...input, query: { ...input.query, ...further } };
    const askNext = isLast ? null : () => new PagePromise(this.#sendForPage<Answer>(target, next, options));
    return { ...answered, data: makePage(answered.data, { items, askNext }) };
  }

  async #send<Data>(
    target: Target,
    input: CallInput,
    options: RequestOptions,
    placesFound = this.#places.found,
  ): Promise<Answered<Data>> {
    const { name, method } = target;
    checkRequestOptions(name, options);
    const { log, baseURL } = this.#settings;
    const url = requestUrl(baseURL, name, target, input);
    const body = await requestBody(target, input.body);
    const headers = requestHeaders(body, { ...this.#settings.headers, ...options.headers });
    const journey: CallState = {
      name,
      method,
      url,
      headers,
      body,
      placesFound,
      attempts: 0,
      isUnsure: false,
    };
    const settings = this.#attemptsOf(name, target, input, options);
    const startMs = performance.now();
    const passedMs = () => Math.round(performance.now() - startMs);
    try {
      const response = await makeAttempts(url, (signal) => this.#attempt(journey, signal), settings);
      const data = await readData<Data>(response);
      this.read.note(data);
      const requestId = response.headers.get('x-request-id');
      log.info(`${name}: ${response.status} after ${passedMs()} ms`, { requestId });
      if (Object(data).differs === true) {
        log.warn(
          `${name}: nothing was sent, because this client_id was used for a different request. The response is the message of that request.`,
          { requestId },
        );
      }
      return { data, response, requestId };
    } catch (thrown) {
      const error = errorFor(thrown, journey, settings, passedMs());
      log.info(`${name}: ${describeFailure(error)} after ${passedMs()} ms`);
      throw error;
    }
  }

  #attemptsOf(
    name: string,
    target: Omit<Target, 'name'>,
    input: CallInput,
    options: RequestOptions,
  ): AttemptSettings {
    const { log, timeoutMs, maxRetries } = this.#settings;
    const retriesMax = options.maxRetries ?? maxRetries;
    return {
      isRepeatable: target.isRepeatable ?? isRepeatable(target),
      retriesMax,
      attemptMsMax: attemptMsMax(input, options, timeoutMs),
      signal: options.signal,
      onRetry: (retry, failure) => log.info(`${name}: retry ${retry} of ${retriesMax} after ${failure}`),
    };
  }

  async #attempt(journey: CallState, signal: AbortSignal): Promise<Response> {
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
      // Following a redirect can turn a POST into a GET.
      redirect: 'manual',
    });
    journey.isUnsure = isUnsure || response.status === 408 || response.status >= 500;
    log.debug(`${label}: ${response.status}`, loggableHeaders(response.headers));
    // After an attempt that may have deleted the resource, a 404 counts as success.
    const isGone = response.status === 404 && method === 'DELETE' && isUnsure;
    return isGone ? new Response(null, { status: 204, headers: response.headers }) : response;
  }
}
