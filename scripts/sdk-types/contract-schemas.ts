import * as contract from '../../contract/src/index.ts';
import { type Direction, type JsonSchema, SchemaCollector } from '../../contract/src/openapi/json-schema.ts';

type Schema = Parameters<SchemaCollector['convert']>[0];
type Route = contract.RouteEntry['route'];

/** A route as the client needs it. */
export interface ClientRoute {
  name: string;
  method: string;
  path: string;
  /** The type of its response. */
  answer: JsonSchema;
  /** The field of the response that has the items of a page; null if it is not a list. */
  items: string | null;
  /** Whether the next page is requested with `after` instead of `cursor`. */
  continuesAfter: boolean;
  takesAttachments: boolean;
  takesClientId: boolean;
  codes: contract.ErrorCode[];
  summary: string;
  description: string;
  /** The fields of its query and of its body. */
  query: JsonSchema;
  body: JsonSchema;
}

const collector = new SchemaCollector();
const exportedNames = new Map<unknown, string>(
  Object.entries(contract).map(([name, value]) => [value, name]),
);
const routesOfInputs = new Map<string, string[]>();

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

/** Converts a schema. Queries keep the names under which the contract exports them. */
function convert(schema: Schema, direction: Direction): JsonSchema {
  const converted = collector.convert(schema, direction);
  const name = exportedNames.get(schema);
  if (converted.$ref !== undefined || name === undefined) return converted;
  collector.components[name] = converted;
  return { $ref: `#/components/schemas/${name}` };
}

function addInput(routeName: string, schema: unknown): JsonSchema {
  if (!isSchema(schema)) return {};
  const converted = convert(schema, 'input');
  const fields = collector.resolve(converted);
  if (converted.$ref !== undefined && Object.keys(fields.properties ?? {}).length > 0)
    markInputs(routeName, converted);
  return fields;
}

/** Marks all schemas in a request, down to its parts, as inputs of its route. */
function markInputs(routeName: string, schema: JsonSchema): void {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    const known = routesOfInputs.get(name) ?? [];
    if (known.includes(routeName)) continue;
    routesOfInputs.set(name, [...known, routeName]);
    markInputs(routeName, collector.components[name] ?? {});
  }
}

function answerSchema(route: Route): JsonSchema {
  const success = Object.entries(route.responses).find(([status]) => status.startsWith('2'))?.[1];
  return isSchema(success) ? convert(success, 'output') : { type: 'null' };
}

function findItemsKey(answer: JsonSchema): string | null {
  const { properties = {} } = collector.resolve(answer);
  if (!Object.hasOwn(properties, 'next_cursor')) return null;
  return Object.keys(properties).find((key) => properties[key]?.type === 'array') ?? null;
}

function clientRoute({ name, route }: contract.RouteEntry): ClientRoute {
  const query = addInput(name, route.query);
  const body = addInput(name, 'body' in route ? route.body : null);
  const answer = answerSchema(route);
  const path = route.path.replace(new RegExp(`^${contract.pathPrefix}`), '');
  return {
    name,
    method: route.method,
    path,
    answer,
    items: findItemsKey(answer),
    continuesAfter: findItemsKey(answer) !== null && !Object.hasOwn(query.properties ?? {}, 'cursor'),
    takesAttachments: contract.routeTakesAttachments(route),
    takesClientId: Object.hasOwn(body.properties ?? {}, 'client_id'),
    codes: contract.listErrorCodes(route),
    summary: route.summary ?? '',
    description: route.description ?? '',
    query,
    body,
  };
}

/** Every route of the contract, in its order. */
export const clientRoutes: ClientRoute[] = contract.listRoutes(contract.contract).map(clientRoute);

collector.convert(contract.Event, 'output');

/** The fields of each error besides those that all have. */
export const errorExtras: [contract.ErrorCode, JsonSchema][] = contract.errorCodes.map((code) => [
  code,
  collector.convert(contract.errors[code].extra, 'output'),
]);

/** All named schemas of requests and responses, by name. */
export const namedSchemas: [string, JsonSchema][] = Object.entries(collector.components)
  .filter(([name]) => !isErrorSchema(name))
  .sort(([one], [other]) => (one < other ? -1 : 1));

function isErrorSchema(name: string): boolean {
  return contract.errorCodes.some((code) => contract.errorSchemaName(code) === name);
}

/** Returns the routes that take a named schema in their requests. */
export function inputRoutes(name: string): string[] {
  return routesOfInputs.get(name) ?? [];
}
