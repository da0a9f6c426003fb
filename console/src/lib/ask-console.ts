import { brand } from '@postrider/contract/brand';
import type { ClientInferRequest, ClientInferResponseBody } from '@ts-rest/core';
import { consoleRoutes, type RouteName, type RouteOf } from './console-routes.ts';
import { ConsoleError, NoAnswerError } from './problem.ts';

/** The headers that say that a page of the console asks, and for which workspace. */
export const { headers } = brand;

/** A field of a request, which may be left out if `undefined` is one of its values. */
type Part<Request, Name extends string> = Request extends { [Key in Name]: infer Value }
  ? undefined extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value }
  : unknown;

type RequestOf<Name extends RouteName> = ClientInferRequest<RouteOf<Name>>;

/** The input of a route: its path parameters, its query and its body. */
export type Asked<Name extends RouteName> = Part<RequestOf<Name>, 'params'> &
  Part<RequestOf<Name>, 'query'> &
  Part<RequestOf<Name>, 'body'>;

type SuccessBody<Route> = Route extends { responses: infer Responses }
  ? 200 extends keyof Responses
    ? ClientInferResponseBody<Route & AnyRoute, 200>
    : 201 extends keyof Responses
      ? ClientInferResponseBody<Route & AnyRoute, 201>
      : 202 extends keyof Responses
        ? ClientInferResponseBody<Route & AnyRoute, 202>
        : null
  : never;

type AnyRoute = RouteOf<RouteName>;

/** The response of a route that succeeds; null if it has no body. */
export type Answer<Name extends RouteName> = SuccessBody<RouteOf<Name>>;

interface AskOptions {
  /** The id of the workspace; left out for routes about the person. */
  workspace?: string;
  signal?: AbortSignal;
}

const timeoutMs = 60_000;

/**
 * Calls a route of the console's own API and returns the body of its response. Throws a `ConsoleError` for a response with an error, and
 * a `NoAnswerError` if no response came within a minute.
 */
export async function askConsole<Name extends RouteName>(
  name: Name,
  asked: Asked<Name>,
  { workspace, signal }: AskOptions = {},
): Promise<Answer<Name>> {
  const { params = {}, query = {}, body } = asked as LooseAsked;
  const [method = 'GET', pattern = ''] = consoleRoutes[name].split(' ');
  const sent: Record<string, string> = { accept: 'application/json', [headers.console]: '1' };
  if (workspace !== undefined) sent[headers.workspace] = workspace;
  if (body !== undefined) sent['content-type'] = 'application/json';
  const init: RequestInit = {
    method,
    headers: sent,
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
  };
  const { response, text } = await send(fillPath(pattern, params) + queryText(query), init, signal);
  const parsed = parse(text);
  if (response.ok) return parsed as Answer<Name>;
  const fields = typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  throw new ConsoleError(response.status, response.headers.get('x-request-id'), fields);
}

interface LooseAsked {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

async function send(url: string, init: RequestInit, signal: AbortSignal | undefined) {
  try {
    const response = await fetch(url, init);
    return { response, text: await response.text() };
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new NoAnswerError('No response came.', { cause });
  }
}

/** Returns the path with its parameters in place. */
export function fillPath(pattern: string, params: Record<string, string>): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** Returns a query with its `?`, without the fields that have no value; empty if no field has one. */
export function queryText(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function parse(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
