import { errors } from '../../contract/src/index.ts';
import type { JsonSchema } from '../../contract/src/openapi/json-schema.ts';
import { errorExtras, inputRoutes, namedSchemas } from './contract-schemas.ts';
import { docText, fileHead, objectText, spaced, typeText } from './type-text.ts';

/** Returns the generated file with the type of every named schema and the fields of every error. */
export function typesFile(): string {
  const schemas = namedSchemas.map(([name, schema]) => namedTypeText(name, schema));
  return [fileHead, ...schemas, errorsText()].join('\n');
}

function namedTypeText(name: string, schema: JsonSchema): string {
  const routes = inputRoutes(name);
  const usage = `What ${routes.map((route) => `\`${route}\``).join(' and ')} take${routes.length === 1 ? 's' : ''}.`;
  const doc = docText({ description: schema.description ?? usage }, '');
  if (schema.type === 'object' && schema.properties !== undefined) {
    return `${doc}export interface ${name} ${objectText(schema, '', routes.length > 0)}\n`;
  }
  return `${doc}export type ${name} =${spaced(typeText(schema))};\n`;
}

function errorsText(): string {
  const extras = errorExtras.map(([code, extra]) => {
    const meaning = docText({ description: errors[code].meaning }, '  ');
    return `${meaning}  ${code}: ${objectText(extra, '  ')};\n`;
  });
  const statuses = errorExtras.map(([code]) => `  ${code}: ${errors[code].status};\n`);
  return `/** The fields that each error has beside \`error\`, \`message\` and \`request_id\`. */
export interface ErrorExtras {
${extras.join('')}}

/** The status that each error comes with. */
export interface ErrorStatuses {
${statuses.join('')}}

/** The code of an error, as in the \`error\` field of an answer. */
export type ErrorCode = keyof ErrorExtras;
`;
}
