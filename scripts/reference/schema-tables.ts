import { findExample } from '../../contract/src/openapi/example.ts';
import { namedExamples } from '../../contract/src/openapi/examples.ts';
import { componentName, type JsonSchema } from '../../contract/src/openapi/json-schema.ts';
import { api } from './api-document.ts';

/** Returns the page that describes an object, as a path with its anchor, or null. */
export type LinkTo = (component: string) => string | null;

const { schemas } = api.components;

/** Returns a table in Markdown. Bars in cells are escaped, and line breaks become blanks. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Returns the fields of a schema as a table. */
export function fieldsTable(schema: JsonSchema, linkTo: LinkTo): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    `\`${name}\``,
    typeText(field, linkTo),
    schema.required?.includes(name) ? 'yes' : '',
    describe(field),
  ]);
  return table(['field', 'type', 'always', 'what it is'], rows);
}

/** Returns the description of a field, with the limits that its schema sets. */
export function describe(field: JsonSchema): string {
  const inner = field.$ref === undefined ? field : { ...schemas[componentName(field.$ref)], ...field };
  const { description = '' } = inner;
  const limits = /at most/i.test(description) ? '' : bounds(inner);
  return [description, limits, defaultText(field)].filter((part) => part !== '').join(' ');
}

function defaultText(field: JsonSchema): string {
  return field.default === undefined ? '' : `Default \`${field.default}\`.`;
}

function bounds({ minLength, maxLength, minimum, maximum, maxItems }: JsonSchema): string {
  if (maxLength !== undefined)
    return `${minLength === undefined ? 'At most' : `${minLength} to`} ${Number(maxLength).toLocaleString('en')} characters.`;
  if (maxItems !== undefined) return `At most ${maxItems}.`;
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : `${minimum} to ${maximum}.`;
}

/** Returns the type of a field in words, with links to the objects in it. */
export function typeText(schema: JsonSchema, linkTo: LinkTo): string {
  const text = (part: JsonSchema) => typeText(part, linkTo);
  if (schema.$ref !== undefined) return referenceText(componentName(schema.$ref), linkTo);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map(text).join(' or ');
  if (schema.enum !== undefined)
    return schema.enum.map((value) => (value === null ? 'null' : `\`${value}\``)).join(', ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.type === 'array') return `list of ${text(schema.items ?? {})}`;
  if (schema.format === 'date-time') return Array.isArray(schema.type) ? 'time or null' : 'time';
  return [schema.type ?? 'any'].flat().join(' or ');
}

function referenceText(name: string, linkTo: LinkTo): string {
  const target = schemas[name] ?? {};
  if (target.enum !== undefined || target.properties === undefined) {
    return target.oneOf === undefined ? typeText(target, linkTo) : linked(name, linkTo);
  }
  return linked(name, linkTo);
}

function linked(name: string, linkTo: LinkTo): string {
  const link = linkTo(name);
  return link === null ? name : `[${name}](${link})`;
}

/** Returns the names of all objects that a schema refers to, directly or through other objects. */
export function componentsIn(schema: JsonSchema, seen = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (seen.has(name)) continue;
    seen.add(name);
    componentsIn(schemas[name] ?? {}, seen);
  }
  return seen;
}

/** Returns an example as a block of JSON. */
export function exampleBlock(schema: JsonSchema): string {
  return jsonBlock(findExample(schema, schemas, namedExamples));
}

/** Returns a value as a block of JSON. */
export function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}
