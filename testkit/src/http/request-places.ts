import { readFileSync } from 'node:fs';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  examples?: unknown[];
}
interface Operation {
  operationId: string;
  parameters?: { name: string; in: 'path' | 'query' | 'header' }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** A place for a value in the requests of a route: a parameter by its name, or a field of the body by its path. */
export interface RequestPlace {
  /** The route, such as `inboxes.create`. */
  name: string;
  method: string;
  /** The path with its parameters in braces, after the version. */
  template: string;
  in: 'path' | 'query' | 'body';
  keys: string[];
}

/** Returns every place of every route, by `openapi.json`. Of an open object and of a list, it has only the first entry. */
export function listPlaces(): RequestPlace[] {
  return Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.operationId !== undefined)
      .flatMap(([method, operation]) =>
        placesOfOperation(operation).map((place) => ({
          name: operation.operationId,
          method: method.toUpperCase(),
          template,
          ...place,
        })),
      ),
  );
}

function placesOfOperation({ parameters = [], requestBody }: Operation) {
  const schema = requestBody?.content['application/json']?.schema;
  return [
    ...parameters.flatMap(({ name, in: where }) => (where === 'header' ? [] : [{ in: where, keys: [name] }])),
    { in: 'query' as const, keys: ['unknown'] },
    ...(schema ? listPaths(schema).map((keys) => ({ in: 'body' as const, keys })) : []),
    { in: 'body' as const, keys: ['unknown'] },
  ];
}

/** Returns the paths of every field below a schema, including the empty path of the schema itself. */
function listPaths(schema: Schema): string[][] {
  if (schema.$ref) return listPaths(resolve(schema.$ref));
  const { properties = {}, items, additionalProperties, anyOf = [] } = schema;
  const below: [string, Schema][] = Object.entries(properties);
  if (items) below.push(['0', items]);
  if (typeof additionalProperties === 'object') below.push(['X-Any', additionalProperties]);
  const paths = [
    [],
    ...below.flatMap(([key, inner]) => listPaths(inner).map((path) => [key, ...path])),
    ...anyOf.flatMap(listPaths),
  ];
  return [...new Map(paths.map((path) => [path.join('\0'), path])).values()];
}

function resolve(ref: string): Schema {
  const schema = document.components.schemas[ref.slice(ref.lastIndexOf('/') + 1)];
  if (!schema) throw new Error(`${ref} is not in openapi.json.`);
  return schema;
}

/** Returns a copy of a JSON value with another value at a path. Missing parts of the path are created. */
export function withValueAt(base: unknown, keys: string[], value: unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (key === '0') return [withValueAt((base as unknown[] | undefined)?.[0], rest, value)];
  const fields = typeof base === 'object' && base !== null && !Array.isArray(base) ? base : {};
  return { ...fields, [key]: withValueAt((fields as Record<string, unknown>)[key], rest, value) };
}
