import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { errorBodies, listAllErrorCodes } from '../answers.ts';
import { AdminRight } from '../fields/admin-right.ts';
import { listRoutes } from '../routes.ts';
import { managementContract, managementPath } from './index.ts';
import { rightsFor } from './managed.ts';
import { buildManagementOpenApi } from './openapi.ts';

interface Content {
  content?: { 'application/json': { example?: unknown; examples?: Record<string, { value: unknown }> } };
}
interface Operation {
  operationId: string;
  description: string;
  summary: string;
  'x-rights': string[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

const file = new URL('../../../management.openapi.json', import.meta.url);
const committed = readFileSync(file, 'utf8');
const document = JSON.parse(committed) as {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, object> & { responses: Record<string, Content> };
};
const entries = listRoutes(managementContract).map(({ name, route }) => {
  const path = route.path.slice(managementPath.length).replace(/:(\w+)/g, '{$1}');
  return { name, route, operation: document.paths[path]?.[route.method.toLowerCase()] as Operation };
});
const exampleIn = (content: Content | undefined) => content?.content?.['application/json'].example;

describe('management.openapi.json', () => {
  it('is what the contract says now (else run node scripts/openapi.ts)', () => {
    expect(committed).toBe(`${JSON.stringify(buildManagementOpenApi(), null, 2)}\n`);
  });

  it('points at nothing that is missing', () => {
    for (const [, kind, name] of committed.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g))
      expect(document.components[kind ?? ''], name).toHaveProperty([name ?? '']);
  });

  it('shows examples of errors that parse', () => {
    const all = [
      ...entries.flatMap(({ operation }) => Object.values(operation.responses)),
      ...Object.values(document.components.responses),
    ];
    const shown = all.flatMap((response) =>
      Object.entries(response.content?.['application/json'].examples ?? {}),
    );
    for (const [code, { value }] of shown)
      expect(
        errorBodies[code as keyof typeof errorBodies].strict().safeParse(value).error,
        code,
      ).toBeUndefined();
    const codes = new Set(shown.map(([code]) => code));
    expect([...codes]).toEqual(expect.arrayContaining(['right_missing', 'owner_only', 'already_member']));
    expect(codes).not.toContain('sending_not_allowed');
  });
});

describe.each(entries)('$name', ({ route, operation }) => {
  it('needs a right, and says so', () => {
    const rights = rightsFor(route);
    expect(rights.length).toBeGreaterThan(0);
    for (const right of rights) expect(AdminRight.options).toContain(right);
    expect(operation['x-rights']).toEqual(rights);
    expect(operation.description).toContain(`\`${rights[0]}\``);
    expect(listAllErrorCodes(route)).toEqual(expect.arrayContaining(['invalid_token', 'right_missing']));
  });

  it('has examples of its request and of its success that the contract takes', () => {
    const body = 'body' in route && route.body instanceof z.ZodType ? route.body : null;
    if (operation.requestBody)
      expect(body?.safeParse(exampleIn(operation.requestBody)).error).toBeUndefined();
    for (const [status, schema] of Object.entries(route.responses)) {
      if (Number(status) >= 300 || !(schema instanceof z.ZodType)) continue;
      expect(schema.safeParse(exampleIn(operation.responses[status])).error, status).toBeUndefined();
    }
  });
});
