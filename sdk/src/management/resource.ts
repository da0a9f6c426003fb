import type { APIPromise } from '../calls/api-promise.ts';
import type { Caller } from '../calls/call.ts';
import type { PagePromise } from '../calls/page.ts';
import { encodeSegment, type RequestOptions } from '../calls/request.ts';
import { type ManagementCalls, managementRoutes } from '../generated/management.ts';
import type { Route } from '../generated/routes.ts';

/** The name of a route of the management API. */
export type ManagementRoute = keyof ManagementCalls;

/** The response of a route. */
export type AnswerOf<Name extends ManagementRoute> = ManagementCalls[Name]['answer'];

/** The query parameters of a route. */
export type QueryOf<Name extends ManagementRoute> = NonNullable<ManagementCalls[Name]['query']>;

/** The body of a route. */
export type BodyOf<Name extends ManagementRoute> = NonNullable<ManagementCalls[Name]['body']>;

interface Input {
  params?: Record<string, string>;
  query?: object | undefined;
  body?: object | undefined;
}

/** The base class of the resources of the management API. */
export class ManagementResource {
  /** @internal */
  readonly #caller: Caller;

  /** @internal */
  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** @internal */
  protected call<Name extends ManagementRoute>(
    name: Name,
    { params, ...input }: Input = {},
    options: RequestOptions = {},
  ): APIPromise<AnswerOf<Name>> {
    const [method, path] = findPlace(name, params);
    return this.#caller.request<AnswerOf<Name>>(method, path, input, options);
  }

  /** @internal */
  protected listPages<Name extends ManagementRoute>(
    name: Name,
    query: object | undefined,
    options: RequestOptions = {},
  ): PagePromise<AnswerOf<Name> & object> {
    const [, path] = findPlace(name);
    return this.#caller.requestPage<AnswerOf<Name> & object>(path, { query }, options);
  }
}

function findPlace(name: ManagementRoute, params: Record<string, string> = {}): [Route['method'], string] {
  const [method, path] = managementRoutes[name].split(' ') as [Route['method'], string];
  return [method, path.replace(/:(\w+)/g, (_, param: string) => encodeSegment(name, params[param]))];
}
