import { componentName, type JsonSchema } from '../../contract/src/openapi/json-schema.ts';

/** The first lines of every generated file. */
export const fileHead = '// Generated from the contract by scripts/sdk-types.ts. Do not edit.\n';

const lineWidth = 110;

/** Returns the TypeScript type of a JSON Schema. Named schemas become their names, and objects have several lines with the given indent. */
export function typeText(schema: JsonSchema, indent = ''): string {
  if (schema.$ref !== undefined) return componentName(schema.$ref);
  if (schema.const !== undefined) return literalText(schema.const);
  if (schema.enum !== undefined) return unionText(schema.enum.map(literalText), indent);
  const types = Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : undefined;
  const members = schema.oneOf ?? schema.anyOf ?? types;
  if (members === undefined) return plainTypeText(schema, indent);
  return unionText(
    members.map((member) => typeText(member, indent)),
    indent,
  );
}

const unionWidth = 72;

/** Returns a union of types, one on each line if they are many. */
export function unionText(members: string[], indent: string): string {
  const text = members.join(' | ');
  return text.length <= unionWidth ? text : members.map((member) => `\n${indent}  | ${member}`).join('');
}

function plainTypeText(schema: JsonSchema, indent: string): string {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayText(schema.items ?? {}, indent);
    case 'object':
      return schema.properties === undefined ? recordText(schema, indent) : objectText(schema, indent);
    default:
      return 'unknown';
  }
}

function arrayText(items: JsonSchema, indent: string): string {
  const text = typeText(items, indent);
  return /\s\| /.test(text) ? `(${text})[]` : `${text}[]`;
}

function recordText({ additionalProperties: values }: JsonSchema, indent: string): string {
  const text = typeof values === 'object' ? typeText(values, indent) : 'unknown';
  return `Record<string, ${text}>`;
}

/**
 * Returns the members of an object with their descriptions. Fields that callers may leave out may also be undefined, which
 * `exactOptionalPropertyTypes` would refuse otherwise. Responses never have undefined.
 */
export function objectText(schema: JsonSchema, indent: string, isInput = false): string {
  const required = new Set(schema.required ?? []);
  const inner = `${indent}  `;
  const members = Object.entries(schema.properties ?? {}).map(([key, property]) => {
    const isOptional = !required.has(key);
    const type = typeText(property, inner) + (isOptional && isInput ? ' | undefined' : '');
    return `${docText(property, inner)}${inner}${keyText(key)}${isOptional ? '?' : ''}:${spaced(type)};\n`;
  });
  return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`;
}

/** Returns a type as it follows a colon or an equals sign. */
export function spaced(type: string): string {
  return type.startsWith('\n') ? type : ` ${type}`;
}

/** Returns the description of a schema and its default as a JSDoc comment, or an empty text. */
export function docText(schema: JsonSchema, indent: string): string {
  const hasDefault = schema.default !== undefined && typeof schema.default !== 'object';
  const lines = wrap((schema.description ?? '').replaceAll('*/', '*\\/'), lineWidth - indent.length - 3);
  if (hasDefault) lines.push(`@default ${literalText(schema.default)}`);
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

/** Returns a value as a literal, with single quotes if it is a text. */
export function literalText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Returns a property name, in quotes if it needs them. */
export function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literalText(key);
}

/** Returns a text as lines of at most this width. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
