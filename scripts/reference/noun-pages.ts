import { commonErrorCodes, contract, listErrorCodes, listRoutes } from '../../contract/src/index.ts';
import { componentName, type JsonSchema } from '../../contract/src/openapi/json-schema.ts';
import { type Answer, api, listTagRoutes, type Operation } from './api-document.ts';
import { exampleCalls } from './example-calls.ts';
import {
  componentsIn,
  describe,
  exampleBlock,
  fieldsTable,
  type LinkTo,
  table,
  typeText,
} from './schema-tables.ts';

/** One page of the reference. */
export interface Page {
  file: string;
  text: string;
}

const { schemas } = api.components;
const codesByName = new Map(listRoutes(contract).map(({ name, route }) => [name, listErrorCodes(route)]));

/** Returns whether an object is described in the text of routes or on the errors page, and therefore not by itself. */
function isDescribedElsewhere(name: string) {
  return (
    /(?:Page|Error)$/.test(name) ||
    schemas[name]?.properties === undefined ||
    schemas[name].additionalProperties === false
  );
}

function pageFile(tag: string): string {
  return `${tag.toLowerCase()}.md`;
}

/**
 * Returns the page of each object: that of a route that responds with it by itself, otherwise the first one whose routes respond with it as
 * a part.
 */
function homes(): Map<string, string> {
  const home = new Map([['AttachmentInput', 'attachments.md']]);
  const settle = (name: string, file: string) => {
    if (!isDescribedElsewhere(name) && !home.has(name)) home.set(name, file);
  };
  const answersByFile = api.tags.map(({ name }): [string, Answer[]] => {
    const answers = listTagRoutes(name).flatMap(({ operation }) => Object.values(operation.responses));
    return [pageFile(name), answers.filter(({ $ref }) => $ref === undefined)];
  });
  for (const [file, answers] of answersByFile) {
    for (const { content } of answers)
      settle(componentName(content?.['application/json'].schema.$ref ?? ''), file);
  }
  for (const [file, answers] of answersByFile)
    for (const name of componentsIn({ answers })) settle(name, file);
  return home.set('Issue', 'errors.md').set('Event', 'events.md');
}

const home = homes();

function linksFrom(file: string): LinkTo {
  return (name) => {
    const target = home.get(name);
    if (target === undefined) return null;
    const anchor = name === 'Event' ? 'the-kinds-of-events' : name.toLowerCase();
    return `${target === file ? '' : target}#${anchor}`;
  };
}

function parametersTable(operation: Operation, linkTo: LinkTo): string[] {
  const parameters = operation.parameters ?? [];
  if (parameters.length === 0) return [];
  const rows = parameters.map(({ name, in: place, schema, description = '' }) => [
    `\`${name}\``,
    place,
    typeText(schema, linkTo),
    describe({ ...schema, description: description || (schema.description ?? describe(schema)) }),
  ]);
  return [table(['parameter', 'in', 'type', 'what it is'], rows)];
}

function bodyText({ requestBody }: Operation, linkTo: LinkTo): string[] {
  const json = requestBody?.content?.['application/json'];
  if (json === undefined) return [];
  const schema = resolve(json.schema);
  const fields = fieldsTable(schema, linkTo).replace('| always |', '| required |');
  return [`Body${requestBody?.required ? '' : ' (may be left out)'}:`, fields];
}

function resolve(schema: JsonSchema): JsonSchema {
  return schema.$ref === undefined ? schema : (schemas[componentName(schema.$ref)] ?? {});
}

function answersText({ responses }: Operation, linkTo: LinkTo): string {
  const statuses = Object.keys(responses).filter((status) => Number(status) < 400);
  const schema = responses[statuses[0] ?? '']?.content?.['application/json'].schema;
  if (schema === undefined) return `Answers ${statuses}, without a body.`;
  const status = statuses.length > 1 ? '201, or 200 for a repeat' : statuses[0];
  const name = componentName(schema.$ref ?? '');
  if (!name.endsWith('Page')) return `Answers ${status}: ${typeText(schema, linkTo)}.`;
  const fields = Object.entries(resolve(schema).properties ?? {}).map(
    ([field, type]) => `\`${field}\` (${typeText(type, linkTo)})`,
  );
  return `Answers ${status}: ${fields.join(', ')}.`;
}

function routeText(route: ReturnType<typeof listTagRoutes>[number], linkTo: LinkTo): string {
  const { method, path, operation } = route;
  const own = (codesByName.get(operation.operationId) ?? []).filter(
    (code) => !commonErrorCodes.some((common) => common === code),
  );
  return [
    `## ${operation.summary}`,
    `\`${method} ${path}\` · in the SDK \`${operation.operationId}\``,
    operation.description,
    ...parametersTable(operation, linkTo),
    ...bodyText(operation, linkTo),
    ...exampleCalls(method, path, operation),
    answersText(operation, linkTo),
    ...(own.length > 0
      ? [`Errors of its own: ${own.map((code) => `[\`${code}\`](errors.md#${code})`).join(', ')}.`]
      : []),
  ].join('\n\n');
}

/** Returns the largest object to which another one only adds fields, and those fields. */
function findBase(name: string): { base: string; added: JsonSchema } | null {
  const schema = schemas[name] ?? {};
  const fields = Object.entries(schema.properties ?? {});
  const candidates = [...home.keys()]
    .filter((base) => base !== name)
    .map((base) => {
      const known = schemas[base]?.properties ?? {};
      const added = fields.filter(([field, type]) => JSON.stringify(known[field]) !== JSON.stringify(type));
      return {
        base,
        added,
        isBase: added.length < fields.length && added.length + Object.keys(known).length === fields.length,
      };
    });
  const [best] = candidates.filter(({ isBase }) => isBase).sort((a, b) => a.added.length - b.added.length);
  return best === undefined
    ? null
    : { base: best.base, added: { ...schema, properties: Object.fromEntries(best.added) } };
}

/** Returns the description of one object: its fields, with an example if wanted. */
export function objectText(name: string, file: string, withExample: boolean): string {
  const schema = schemas[name] ?? {};
  const linkTo = linksFrom(file);
  const extended = findBase(name);
  const fields =
    extended === null
      ? [fieldsTable(schema, linkTo)]
      : [
          `All fields of [${extended.base}](${linkTo(extended.base)}) and:`,
          fieldsTable(extended.added, linkTo),
        ];
  const example = withExample ? [exampleBlock({ $ref: `#/components/schemas/${name}` })] : [];
  return [`### ${name}`, schema.description ?? '', ...fields, ...example].join('\n\n');
}

/** Returns the page of each group of routes. */
export function nounPages(more: (file: string) => string[]): Page[] {
  return api.tags.map(({ name: tag, description }) => {
    const file = pageFile(tag);
    const routes = listTagRoutes(tag);
    const answered = JSON.stringify(routes.map(({ operation }) => operation.responses));
    const objects = [...home].filter(
      ([name, page]) => page === file && schemas[name]?.properties !== undefined,
    );
    const objectTexts = objects.map(([name]) => objectText(name, file, answered.includes(`/${name}"`)));
    const parts = [
      `# ${tag}`,
      description,
      'Every route may also answer the [errors that all routes share](errors.md). The `client` of the examples is `new Postrider()` in TypeScript and `Postrider()` [in Python](../guides/python.md).',
      ...routes.map((route) => routeText(route, linksFrom(file))),
      ...(objects.length > 0 ? ['## Objects', ...objectTexts] : []),
      ...more(file),
    ];
    return { file, text: `${parts.join('\n\n')}\n` };
  });
}
