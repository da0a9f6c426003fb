import { componentName, type JsonSchema } from '../../contract/src/openapi/json-schema.ts';
import { wrap } from '../sdk-types/type-text.ts';

/** The first lines of every generated file. */
export const fileHead =
  '# Generated from the contract by scripts/python-client.ts. Do not edit.\nfrom __future__ import annotations\n';

const lineWidth = 110;

/** Returns the name of a schema that has no name of its own: an object within another one. */
export type NameInline = (schema: JsonSchema) => string;

/** How a type is written. */
export interface TypeOptions {
  /** Whether callers pass it: times may then be `datetime`. */
  isInput: boolean;
  nameInline: NameInline;
}

/** Returns the Python type of a JSON Schema. Named schemas become their names. */
export function typeText(schema: JsonSchema, options: TypeOptions): string {
  if (schema.$ref !== undefined) return componentName(schema.$ref);
  if (schema.const !== undefined) return `Literal[${literalText(schema.const)}]`;
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literalText).join(', ')}]`;
  const types = Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : undefined;
  const members = schema.oneOf ?? schema.anyOf ?? types;
  if (members === undefined) return plainTypeText(schema, options);
  return [...new Set(members.map((member) => typeText(member, options)))].join(' | ');
}

function plainTypeText(schema: JsonSchema, options: TypeOptions): string {
  switch (schema.type) {
    case 'string':
      return options.isInput && schema.format === 'date-time' ? 'str | datetime' : 'str';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'array':
      return `List[${typeText(schema.items ?? {}, options)}]`;
    case 'object':
      return schema.properties === undefined ? recordText(schema, options) : options.nameInline(schema);
    default:
      return 'Any';
  }
}

function recordText({ additionalProperties: values }: JsonSchema, options: TypeOptions): string {
  return `Dict[str, ${typeof values === 'object' ? typeText(values, options) : 'Any'}]`;
}

/** Returns a value as a Python literal. */
export function literalText(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

const keywords = new Set([
  'from',
  'class',
  'def',
  'global',
  'import',
  'in',
  'is',
  'lambda',
  'not',
  'or',
  'and',
  'pass',
]);

/** Returns whether a name is one that Python has no other use for. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);
}

/** Returns the name of a parameter: keywords have an underscore behind them. */
export function parameterName(name: string): string {
  return isPlainName(name) ? name : `${name}_`;
}

/** Returns a name of the TypeScript client as Python spells it. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns a text as lines of a docstring. */
export function docLines(text: string, indent: string): string[] {
  return wrap(text.replaceAll('\\', '\\\\').replaceAll('"""', "'''"), lineWidth - indent.length);
}

/** Returns a docstring, or an empty text without one. */
export function docText(description: string | undefined, indent: string): string {
  const lines = docLines(description ?? '', indent);
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}"""${lines[0]}"""\n`;
  return `${indent}"""${lines.map((line, index) => (index === 0 ? line : `${indent}${line}`)).join('\n')}\n${indent}"""\n`;
}
