import type { JsonSchema } from '../../contract/src/openapi/json-schema.ts';
import { buildOpenApi } from '../../contract/src/openapi.ts';

/** The parts of the OpenAPI document from which the pages are made. */
export interface ApiDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, Answer> };
}

/** A body as JSON. */
interface Body {
  content?: { 'application/json': { schema: JsonSchema; example?: unknown } };
}

/** One response of a route, or a reference to a shared one. */
export interface Answer extends Body {
  $ref?: string;
  description?: string;
}

/** One route. */
export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: JsonSchema;
    example?: string;
  }[];
  requestBody?: Body & { required: boolean };
  responses: Record<string, Answer>;
}

/** The API as it is now. */
export const api = buildOpenApi() as unknown as ApiDocument;

/** Returns the routes of a tag with their methods and paths, in the order of the contract. */
export function listTagRoutes(tag: string): { method: string; path: string; operation: Operation }[] {
  const all = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return all.filter(({ operation }) => operation.tags.includes(tag));
}
