import type { AppRoute } from '@ts-rest/core';
import * as z from 'zod';
import type { RouteEntry } from '../routes.ts';
import { exampleOf } from './example.ts';
import type { JsonSchema } from './json-schema.ts';
import { jsonContent, type Part, responsesOf, type Workshop } from './responses.ts';

/** One route as an OpenAPI operation. */
export function operationOf(shop: Workshop, entry: RouteEntry, tag: string): Part {
  const { name, route } = entry;
  const parameters = [
    ...parametersOf(shop, 'path', route.pathParams),
    ...parametersOf(shop, 'query', route.query),
  ];
  const requestBody = requestBodyOf(shop, route);
  return {
    operationId: name,
    tags: [tag],
    summary: route.summary,
    description: route.description,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === null ? {} : { requestBody }),
    responses: responsesOf(shop, route),
  };
}

function parametersOf(shop: Workshop, place: 'path' | 'query', schema: unknown): Part[] {
  if (!(schema instanceof z.ZodType)) return [];
  const { properties = {}, required = [] } = shop.schemas.convert(schema, 'input');
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...parameterSchema(property),
    example: exampleOf(property, shop.schemas.components, shop.named),
  }));
}

function parameterSchema({ description, examples: _, ...schema }: JsonSchema): Part {
  const list = schema.type === 'array' ? { style: 'form', explode: false } : {};
  return { ...(description === undefined ? {} : { description }), ...list, schema };
}

function requestBodyOf(shop: Workshop, route: AppRoute): Part | null {
  if (!('body' in route) || !(route.body instanceof z.ZodType)) return null;
  const schema = shop.schemas.convert(route.body, 'input');
  const fields = shop.schemas.resolve(schema).properties ?? {};
  if (Object.keys(fields).length === 0) return null;
  return { required: !route.body.safeParse(undefined).success, content: jsonContent(shop, schema) };
}
