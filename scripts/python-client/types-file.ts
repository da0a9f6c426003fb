import { errors } from '../../contract/src/index.ts';
import type { JsonSchema } from '../../contract/src/openapi/json-schema.ts';
import { errorExtras, inputRoutes, namedSchemas } from '../sdk-types/contract-schemas.ts';
import {
  docLines,
  docText,
  fileHead,
  isPlainName,
  literalText,
  type TypeOptions,
  typeText,
} from './type-text.ts';

/** Returns the file with the type of every named schema, and with what each error has besides its code. */
export function typesFile(): string {
  const classes: string[] = [];
  const aliases: string[] = [];
  const names: string[] = [];
  for (const [name, schema] of namedSchemas) {
    names.push(name);
    if (schema.type === 'object' && schema.properties !== undefined)
      classes.push(...classTexts(name, schema, inputRoutes(name).length > 0));
    else aliases.push(aliasText(name, schema));
  }
  const codes = errorExtras.map(([code]) => literalText(code));
  names.push('ErrorCode');
  return `${fileHead}
from datetime import datetime
from typing import Any, Dict, List, Literal, TypeAlias, TypedDict

${aliases.join('\n')}
ErrorCode: TypeAlias = Literal[
${codes.map((code) => `    ${code},\n`).join('')}]
"""The code of an error."""

# The status of each error.
ERROR_STATUSES: Dict[str, int] = {
${errorExtras.map(([code]) => `    ${literalText(code)}: ${errors[code].status},\n`).join('')}}

${classes.join('\n\n')}
__all__ = [
${names.map((name) => `    ${literalText(name)},\n`).join('')}]
`;
}

function aliasText(name: string, schema: JsonSchema): string {
  // The members of a union are defined further down.
  const type = typeText(schema, { isInput: false, nameInline: () => 'Dict[str, Any]' });
  const value = schema.oneOf === undefined ? type : `"${type}"`;
  return `${name}: TypeAlias = ${value}\n${docText(schema.description, '')}`;
}

/** Returns the class of an object, after those of the objects in it. Fields that may be absent are in a class with a base. */
function classTexts(name: string, schema: JsonSchema, isInput: boolean): string[] {
  const inner: string[] = [];
  const fields = Object.entries(schema.properties ?? {});
  const typed = fields.map(([key, property]) => {
    const nameInline = (object: JsonSchema) => {
      const own = `${name}${pascalCase(key)}`;
      inner.push(...classTexts(own, object, isInput));
      return own;
    };
    return { key, property, type: typeText(property, { isInput, nameInline } satisfies TypeOptions) };
  });
  const required = new Set(schema.required ?? []);
  const doc = docText(schema.description, '    ');
  if (!fields.every(([key]) => isPlainName(key)))
    return [...inner, functionalText(name, schema, typed, required)];
  const [always, maybe] = [
    typed.filter(({ key }) => required.has(key)),
    typed.filter(({ key }) => !required.has(key)),
  ];
  const bodyText = (some: typeof typed) =>
    some
      .map(({ key, property, type }) => `    ${key}: ${type}\n${docText(property.description, '    ')}`)
      .join('');
  if (maybe.length === 0) return [...inner, `class ${name}(TypedDict):\n${doc}\n${bodyText(always)}`];
  if (always.length === 0)
    return [...inner, `class ${name}(TypedDict, total=False):\n${doc}\n${bodyText(maybe)}`];
  return [
    ...inner,
    `class _${name}Always(TypedDict):\n${bodyText(always)}`,
    `class ${name}(_${name}Always, total=False):\n${doc}\n${bodyText(maybe)}`,
  ];
}

/** Returns an object that has a key which no class can have, such as \`from\`. */
function functionalText(
  name: string,
  { description = '' }: JsonSchema,
  typed: { key: string; type: string }[],
  required: Set<string>,
): string {
  const write = (own: string, some: typeof typed, total: boolean) =>
    `${own} = TypedDict(\n    ${literalText(own)},\n    {\n${some
      .map(({ key, type }) => `        ${literalText(key)}: "${type.replaceAll('"', "'")}",\n`)
      .join('')}    },${total ? '' : '\n    total=False,'}\n)\n`;
  const comment = docLines(description, '')
    .map((line) => `# ${line}\n`)
    .join('');
  const always = typed.filter(({ key }) => required.has(key));
  const maybe = typed.filter(({ key }) => !required.has(key));
  if (maybe.length === 0) return `${comment}${write(name, always, true)}`;
  if (always.length === 0) return `${comment}${write(name, maybe, false)}`;
  throw new Error(
    `${name} has a key that is a keyword of Python, and fields that may be absent besides others`,
  );
}

function pascalCase(key: string): string {
  return key.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
