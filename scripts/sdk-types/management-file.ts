import { listRoutes, type RouteEntry } from '../../contract/src/index.ts';
import { managementContract, managementPath } from '../../contract/src/management/index.ts';
import { type Direction, type JsonSchema, SchemaCollector } from '../../contract/src/openapi/json-schema.ts';
import { namedSchemas } from './contract-schemas.ts';
import { docText, fileHead, literalText, objectText, spaced, typeText } from './type-text.ts';

type Schema = Parameters<SchemaCollector['convert']>[0];

const collector = new SchemaCollector();
const known = new Set(namedSchemas.map(([name]) => name));
const inputs = new Set<string>();

/** The resources that the client has from the API itself. */
const shared = ['webhooks', 'domains'];

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

function convert(value: unknown, direction: Direction): string | null {
  if (!isSchema(value)) return null;
  const schema = collector.convert(value, direction);
  if (direction === 'input') markInputs(schema);
  return schema.properties ? objectText(schema, '    ', direction === 'input') : typeText(schema, '    ');
}

function markInputs(schema: JsonSchema): void {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (inputs.has(name)) continue;
    inputs.add(name);
    markInputs(collector.components[name] ?? {});
  }
}

function routeLines({ name, route }: RouteEntry): string {
  const success = Object.entries(route.responses).find(([status]) => status.startsWith('2'))?.[1];
  const parts = {
    query: convert(route.query, 'input'),
    body: 'body' in route ? convert(route.body, 'input') : null,
    answer: convert(success, 'output') ?? 'void',
  };
  const lines = Object.entries(parts).map(([key, type]) => `    ${key}:${spaced(type ?? 'undefined')};\n`);
  return `  ${literalText(name)}: {\n${lines.join('')}  };\n`;
}

function namedText([name, schema]: [string, JsonSchema]): string {
  const doc = docText(schema, '');
  const isObject = schema.type === 'object' && schema.properties !== undefined;
  if (isObject) return `${doc}export interface ${name} ${objectText(schema, '', inputs.has(name))}\n`;
  return `${doc}export type ${name} =${spaced(typeText(schema))};\n`;
}

/** Returns the generated file with the routes of the management API and the types of their requests and responses. */
export function managementFile(): string {
  const routes = listRoutes(managementContract).filter(({ resource }) => !shared.includes(resource));
  const lines = routes.map(routeLines);
  const named = Object.entries(collector.components).sort(([one], [other]) => (one < other ? -1 : 1));
  const own = named.filter(([name]) => !known.has(name)).map(namedText);
  const text = [...own, ...lines].join('\n');
  const imports = named
    .map(([name]) => name)
    .filter((name) => known.has(name) && new RegExp(`\\b${name}\\b`).test(text));
  return `${fileHead}
import type {
${imports.map((name) => `  ${name},\n`).join('')}} from './types.ts';

/** The path of the management API. */
export const managementPath = ${literalText(managementPath)};

/** Method and path of every route, by its resource and method. */
export const managementRoutes = {
${routes.map(({ name, route }) => `  ${literalText(name)}: ${literalText(`${route.method} ${route.path.slice(managementPath.length)}`)},\n`).join('')}} as const;

/** What each route takes and answers. */
export interface ManagementCalls {
${lines.join('')}}

${own.join('\n')}`;
}
