import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { brand } from './brand.ts';
import { contract, errorBodies, errorCodes, eventKinds, listRoutes, pathPrefix } from './index.ts';
import { buildOpenApi, eventExamples } from './openapi.ts';

interface Content {
  content?: { 'application/json': { example?: unknown; examples?: Record<string, { value: unknown }> } };
  $ref?: string;
}

interface Operation {
  operationId: string;
  tags: string[];
  parameters?: { name: string; in: string; schema: { default?: unknown }; example: unknown }[];
  requestBody?: Content & { required: boolean };
  responses: Record<string, Content>;
}

interface Document {
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, { additionalProperties?: unknown }>;
    responses: Record<string, Content>;
  };
}

const committed = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
const openapi = JSON.parse(committed) as Document;
const entries = listRoutes(contract).map(({ name, route }) => {
  const path = route.path.slice(pathPrefix.length).replace(/:(\w+)/g, '{$1}');
  const operation = openapi.paths[path]?.[route.method.toLowerCase()];
  return { name, route, operation: operation! };
});
const example = (content: Content | undefined) => content?.content?.['application/json'].example;
const undefinedToNothing = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('openapi.json', () => {
  it('is what the contract says now (else run node scripts/openapi.ts)', () => {
    expect(undefinedToNothing(buildOpenApi())).toEqual(openapi);
    expect(committed).toBe(`${JSON.stringify(buildOpenApi(), null, 2)}\n`);
  });

  it('has every route once, under its name, and nothing of other surfaces', () => {
    const operations = Object.values(openapi.paths).flatMap((methods) => Object.values(methods));
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      entries.map(({ name }) => name).sort(),
    );
    expect(openapi.servers.map(({ url }) => url)).toEqual([brand.defaults.baseUrl]);
    expect(Object.keys(openapi.paths).filter((path) => path.startsWith(pathPrefix))).toEqual([]);
    expect(committed).not.toMatch(/console\/api|\/hooks\//);
  });

  it('groups routes by tags that it describes', () => {
    const known = openapi.tags.map(({ name }) => name);
    for (const { name, operation } of entries) expect(known, name).toContain(operation.tags[0]);
  });

  it('points at nothing that is missing', () => {
    for (const [, kind, name] of committed.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
      expect(Object(openapi.components)[kind ?? ''], name).toHaveProperty([name ?? '']);
    }
  });

  it('closes requests and leaves answers open', () => {
    const closed = Object.entries(openapi.components.schemas).filter(
      ([, schema]) => schema.additionalProperties === false,
    );
    expect(closed.map(([name]) => name)).toEqual(
      expect.arrayContaining(['SendMessage', 'AttachmentInput', 'CreateInbox']),
    );
    expect(
      closed.map(([name]) => name).filter((name) => /Page$|Error$|^(Message|Inbox|Event)$/.test(name)),
    ).toEqual([]);
  });

  it('gives coerced query fields their plain types', () => {
    const parameters = openapi.paths['/messages']?.get?.parameters ?? [];
    const schemas = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
    expect(schemas.limit).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 25 });
    expect(schemas.has_attachment).toEqual({ type: 'boolean' });
    expect(schemas.wait_seconds).toMatchObject({ type: 'integer', maximum: 60 });
  });

  it('shows an example of every error that parses', () => {
    const shown = new Set<string>();
    const all = [
      ...entries.flatMap(({ operation }) => Object.values(operation.responses)),
      ...Object.values(openapi.components.responses),
    ];
    for (const response of all) {
      for (const [code, { value }] of Object.entries(response.content?.['application/json'].examples ?? {})) {
        shown.add(code);
        expect(
          errorBodies[code as keyof typeof errorBodies].strict().safeParse(value).error,
          code,
        ).toBeUndefined();
      }
    }
    // The API has no rights.
    expect([...shown].sort()).toEqual(errorCodes.filter((code) => code !== 'right_missing').sort());
  });
});

describe.each(entries)('the examples of $name', ({ route, operation }) => {
  it('are requests that the server takes', () => {
    const query = Object.fromEntries(
      (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, example: value }) => [name, String(value)]),
    );
    if (route.query instanceof z.ZodType) expect(route.query.safeParse(query).error).toBeUndefined();
    if (operation.requestBody === undefined) return;
    const body = 'body' in route ? (route.body as z.ZodType) : z.never();
    expect(body.safeParse(example(operation.requestBody)).error).toBeUndefined();
    expect(operation.requestBody.required).toBe(!body.safeParse(undefined).success);
  });

  it('are answers that the server gives, with no field of their own', () => {
    for (const [status, schema] of Object.entries(route.responses)) {
      if (Number(status) >= 400 || !(schema instanceof z.ZodType)) continue;
      const value = example(operation.responses[status]);
      expect(schema.safeParse(value)).toEqual({ success: true, data: value });
    }
  });
});

describe('the webhooks of openapi.json', () => {
  it.each(eventKinds)('%s is posted with its example and its headers, and without the API key', (kind) => {
    const operation = openapi.webhooks[kind]?.post;
    expect(example(operation?.requestBody)).toEqual(eventExamples[kind]);
    expect(operation?.parameters?.map(({ name }) => name)).toEqual([
      brand.headers.event,
      brand.headers.signature,
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    expect(operation).toMatchObject({ security: [] });
  });
});
