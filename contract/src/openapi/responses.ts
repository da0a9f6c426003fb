import type { AppRoute } from '@ts-rest/core';
import type * as z from 'zod';
import { type AnyErrorCode, errorCatalogue, errorSchemaName, listAllErrorCodes } from '../answers.ts';
import { eventStream } from '../realtime.ts';
import { routeStreams } from '../routes.ts';
import { findExample, type NamedExamples } from './example.ts';
import { addDiscriminators, type JsonSchema, type SchemaCollector } from './json-schema.ts';

/** A part of an OpenAPI document that is written out and not read again. */
export type Part = Record<string, unknown>;

/** The schemas and examples from which the parts of the document are created. */
export interface Workshop {
  schemas: SchemaCollector;
  named: NamedExamples;
  /** Returns the name of the group that the routes of a resource belong to. */
  tagOf(resource: string): string;
  /** The error responses that all routes share. */
  common: Record<string, z.ZodType>;
}

const errorNames: Record<number, string> = {
  400: 'InvalidRequest',
  401: 'InvalidToken',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  429: 'RateLimited',
  500: 'InternalError',
  503: 'Unavailable',
};

/** The headers of responses. */
export const responseHeaders: Record<string, Part> = {
  'x-request-id': {
    description: 'Identifies this request in logs. Quote it when you report a problem.',
    schema: { type: 'string' },
    example: 'req_4zq1w8c0x7',
  },
  'RateLimit-Limit': {
    description: 'The number of requests that can be sent at once.',
    schema: { type: 'integer' },
    example: 100,
  },
  'RateLimit-Remaining': {
    description: 'The number of requests that are left now; an estimate within 10 %.',
    schema: { type: 'integer' },
    example: 98,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the full number of requests is available again.',
    schema: { type: 'integer' },
    example: 1,
  },
  'Retry-After': {
    description: 'Seconds to wait before sending the request again.',
    schema: { type: 'integer' },
    example: 1,
  },
  Allow: {
    description: 'The methods that the path supports.',
    schema: { type: 'string' },
    example: 'GET, POST',
  },
};

const everywhere = ['x-request-id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

function describeHeaders(status: number): Part {
  const names = [...everywhere];
  if (status === 401) names.splice(1);
  if (status === 405) names.push('Allow');
  if (status === 429 || status === 503) names.push('Retry-After');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the JSON body of a request or a response, with an example. */
export function jsonContent(shop: Workshop, schema: JsonSchema): Part {
  return {
    'application/json': { schema, example: findExample(schema, shop.schemas.components, shop.named) },
  };
}

const successes: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  204: 'Done. The response has no body.',
};

function successResponse(shop: Workshop, route: AppRoute, status: number, schema: JsonSchema | null): Part {
  const isRepeat = status === 200 && 201 in route.responses;
  const description = isRepeat ? 'It already exists, and is returned.' : successes[status];
  const headers = describeHeaders(status);
  if (schema === null) return { description, headers };
  const example = findExample(schema, shop.schemas.components, shop.named);
  const repeated = isRepeat && isIdempotent(example) ? { ...example, idempotent: true } : example;
  const content = { 'application/json': { schema, example: repeated }, ...streamContent(shop, route) };
  return { description, headers, content };
}

/** Returns the stream of server-sent events among the contents of a response, if its route has one. */
function streamContent({ named }: Workshop, route: AppRoute): Part {
  if (!routeStreams(route)) return {};
  const { id, event } = named.Event as { id: string; event: string };
  const example = `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(named.Event)}\n\n`;
  const description =
    'Server-sent events: `id` is the id of an event, `event` its kind, `data` an Event as JSON.';
  return { [eventStream.contentType]: { schema: { type: 'string', description }, example } };
}

function isIdempotent(example: unknown): example is { idempotent: boolean } {
  return typeof example === 'object' && example !== null && 'idempotent' in example;
}

function errorResponse(shop: Workshop, codes: AnyErrorCode[], schema: JsonSchema): Part {
  addDiscriminators(shop.schemas, schema);
  const examples = codes.map((code) => {
    const body = { $ref: `#/components/schemas/${errorSchemaName(code)}` };
    return [
      code,
      {
        summary: errorCatalogue[code].meaning,
        value: findExample(body, shop.schemas.components, shop.named),
      },
    ];
  });
  const [first] = codes;
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].meaning}`).join('\n\n'),
    headers: describeHeaders(first === undefined ? 0 : errorCatalogue[first].status),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  };
}

function codesByStatus(codes: AnyErrorCode[]): Map<number, AnyErrorCode[]> {
  const byStatus = new Map<number, AnyErrorCode[]>();
  for (const code of codes)
    byStatus.set(errorCatalogue[code].status, [...(byStatus.get(errorCatalogue[code].status) ?? []), code]);
  return byStatus;
}

function commonCodes({ common }: Workshop): Map<number, AnyErrorCode[]> {
  return codesByStatus(listAllErrorCodes({ responses: common }));
}

function responseName(status: number, [first]: AnyErrorCode[]): string {
  return errorNames[status] ?? (first === undefined ? '' : errorSchemaName(first).replace(/Error$/, ''));
}

/** Returns the error responses that all routes share, by the names of their components. */
export function sharedResponses(shop: Workshop): Part {
  const shared = [...commonCodes(shop)].map(([status, codes]) => {
    const schema: z.ZodType = shop.common[status]!;
    return [responseName(status, codes), errorResponse(shop, codes, shop.schemas.convert(schema, 'output'))];
  });
  return Object.fromEntries(shared);
}

/** Returns the schema of a body that consists of JSON; null without a body. */
export function schemaIn(part: { content?: unknown }): JsonSchema | null {
  const body = part.content as { 'application/json': { schema: JsonSchema } } | undefined;
  return body?.['application/json'].schema ?? null;
}

/** Returns the responses of a route by status, with their headers and examples. Errors that all routes share are references. */
export function describeResponses(shop: Workshop, route: AppRoute, responses: Record<string, Part>): Part {
  const codes = codesByStatus(listAllErrorCodes(route));
  const common = commonCodes(shop);
  const all = Object.entries(responses).map(([key, response]) => {
    const status = Number(key);
    const schema = schemaIn(response);
    const ofStatus = codes.get(status);
    if (ofStatus === undefined || schema === null) return [key, successResponse(shop, route, status, schema)];
    const isShared = ofStatus.join() === common.get(status)?.join();
    if (isShared) return [key, { $ref: `#/components/responses/${responseName(status, ofStatus)}` }];
    return [key, errorResponse(shop, ofStatus, schema)];
  });
  return Object.fromEntries(all);
}
