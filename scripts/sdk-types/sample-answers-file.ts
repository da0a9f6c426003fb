import { buildOpenApi } from '../../contract/src/openapi.ts';
import { clientRoutes } from './contract-schemas.ts';
import { fileHead, literalText } from './type-text.ts';

interface Content {
  content?: { 'application/json'?: { example?: unknown; schema?: { $ref?: string } } };
}
interface Operation {
  operationId: string;
  responses: Record<string, Content>;
  requestBody?: Content;
}
interface BodySchema {
  properties?: Record<string, unknown>;
  required?: string[];
}

const document = buildOpenApi() as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, BodySchema> };
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** Returns the generated file with a successful response of each route, and the fields of its body. */
export function sampleAnswersFile(): string {
  const entries = clientRoutes.map(({ name }) => {
    const operation = operations.find(({ operationId }) => operationId === name);
    const [status = '204', answer] =
      Object.entries(operation?.responses ?? {})
        .filter(([code]) => code.startsWith('2'))
        .toSorted(([one], [other]) => Number(other) - Number(one))[0] ?? [];
    const body = answer?.content?.['application/json']?.example;
    return { name, status, body, fields: listFields(operation) };
  });
  const answers = entries.map(
    ({ name, status, body }) =>
      `  ${literalText(name)}: { status: ${status}, body: ${JSON.stringify(body) ?? 'undefined'} },\n`,
  );
  const fields = entries
    .filter((entry) => entry.fields !== null)
    .map((entry) => `  ${literalText(entry.name)}: ${JSON.stringify(entry.fields)},\n`);
  return `${fileHead}
import type { RouteAnswers, RouteName } from './routes.ts';

/** What each route answers when all is well. */
export const sampleAnswers: { readonly [Name in RouteName]: { status: number; body: RouteAnswers[Name] } } = {
${answers.join('')}};

/** The fields that the body of a route may have, and those that it must have. */
export const requestFields: { readonly [Name in RouteName]?: { known: string[]; required: string[] } } = {
${fields.join('')}};
`;
}

function listFields(operation: Operation | undefined): { known: string[]; required: string[] } | null {
  const reference = operation?.requestBody?.content?.['application/json']?.schema?.$ref;
  const schema = document.components.schemas[reference?.split('/').at(-1) ?? ''];
  return schema?.properties
    ? { known: Object.keys(schema.properties), required: schema.required ?? [] }
    : null;
}
