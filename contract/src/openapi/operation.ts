import type { AppRoute } from '@ts-rest/core';
import type { generateOpenApi } from '@ts-rest/open-api';
import * as z from 'zod';
import { exampleIds } from '../fields/scalars.ts';
import { eventStream } from '../realtime.ts';
import { routeStreams } from '../routes.ts';
import { findExample } from './example.ts';
import type { JsonSchema } from './json-schema.ts';
import { describeResponses, jsonContent, type Part, schemaIn, type Workshop } from './responses.ts';

type Options = NonNullable<Parameters<typeof generateOpenApi>[2]>;
type Operation = Parameters<NonNullable<Options['operationMapper']>>[0];

/** Returns the JSON Schema of a part of a route; null for a body without fields, which is not shown. */
export function partSchema(shop: Workshop, schema: unknown, part: string): JsonSchema | null {
  if (!(schema instanceof z.ZodType)) return null;
  const json = shop.schemas.convert(schema, part === 'response' ? 'output' : 'input');
  const isEmpty = part === 'body' && Object.keys(shop.schemas.resolve(json).properties ?? {}).length === 0;
  return isEmpty ? null : json;
}

/** The header of a client that lost a stream of server-sent events. */
const resumeParameter: Part = {
  name: eventStream.resumeHeader,
  in: 'header',
  required: false,
  description:
    'For a stream: the last `id` that the client received. It takes precedence over `after`. An `EventSource` sets it when it reconnects.',
  schema: { type: 'string' },
  example: exampleIds.event,
};

/** Returns an operation with what its schemas do not say: its tag, examples, headers of responses and errors that others share. */
export function completeOperation(shop: Workshop, operation: Operation, route: AppRoute): Part {
  const { operationId, summary, description, requestBody } = operation;
  const [resource = ''] = operation.tags ?? [];
  const parameters = (operation.parameters ?? []).map((parameter) => completeParameter(shop, parameter));
  if (routeStreams(route)) parameters.push(resumeParameter);
  return {
    operationId,
    tags: [shop.tagOf(resource)],
    summary,
    description,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === undefined ? {} : { requestBody: completeBody(shop, requestBody, route) }),
    responses: describeResponses(shop, route, operation.responses),
  };
}

function completeParameter(shop: Workshop, parameter: object): Part {
  const { name, in: place, required = false, description, schema } = parameter as Part;
  const { examples: _, ...plain } = schema as JsonSchema;
  return {
    name,
    in: place,
    required,
    ...(description === undefined ? {} : { description }),
    ...(plain.type === 'array' ? { style: 'form', explode: false } : {}),
    schema: plain,
    example: findExample(schema as JsonSchema, shop.schemas.components, shop.named),
  };
}

function completeBody(shop: Workshop, body: object, route: AppRoute): Part {
  const isRequired =
    'body' in route && route.body instanceof z.ZodType && !route.body.safeParse(undefined).success;
  return { required: isRequired, content: jsonContent(shop, schemaIn(body) ?? {}) };
}
