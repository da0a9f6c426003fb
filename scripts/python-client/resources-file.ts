import { componentName, type JsonSchema } from '../../contract/src/openapi/json-schema.ts';
import { type ClientRoute, clientRoutes, namedSchemas } from '../sdk-types/contract-schemas.ts';
import {
  docLines,
  fileHead,
  literalText,
  parameterName,
  snakeCase,
  type TypeOptions,
  typeText,
} from './type-text.ts';

/** The two clients: one blocks, and one awaits. */
export type Kind = 'sync' | 'async';

interface Parameter {
  key: string;
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

const options: TypeOptions = {
  isInput: true,
  nameInline: () => {
    throw new Error('an object within a request needs a name of its own: give its schema an id');
  },
};

const schemas = new Map(namedSchemas);

/** Returns the file with the methods of each resource, as they follow from the contract. */
export function resourcesFile(kind: Kind): string {
  const byResource = new Map<string, ClientRoute[]>();
  for (const route of clientRoutes) {
    const [resource = ''] = route.name.split('.');
    byResource.set(resource, [...(byResource.get(resource) ?? []), route]);
  }
  const classes = [...byResource].map(([resource, routes]) => classText(kind, resource, routes));
  const [module, caller, page] =
    kind === 'sync' ? ['_caller', 'Caller', 'Page'] : ['_async_caller', 'AsyncCaller', 'AsyncPages'];
  const pageModule = kind === 'sync' ? '_page' : '_async_page';
  return `${fileHead}
from datetime import datetime
from typing import Dict, List, Literal, cast

from ..${pageModule} import ${page}
from ..${module} import ${caller}
from .._given import NOT_GIVEN, NotGiven, RequestOptions, given
from .._attachments import AttachmentSource
from .types import *


class ${baseClass(kind)}:
    """The methods of a resource."""

    def __init__(self, caller: ${caller}) -> None:
        self._caller = caller


${classes.join('\n\n')}`;
}

function baseClass(kind: Kind): string {
  return kind === 'sync' ? 'Resource' : 'AsyncResource';
}

/** Returns the name of the class of a resource, such as \`MessagesMethods\`. */
function className(kind: Kind, resource: string): string {
  const name = resource.charAt(0).toUpperCase() + resource.slice(1);
  return `${kind === 'sync' ? '' : 'Async'}${name}Methods`;
}

function classText(kind: Kind, resource: string, routes: ClientRoute[]): string {
  const methods = routes.flatMap((route) => [
    methodText(kind, route),
    ...(route.items !== null && Object.hasOwn(route.query.properties ?? {}, 'query')
      ? [methodText(kind, route, 'search')]
      : []),
  ]);
  return `class ${className(kind, resource)}(${baseClass(kind)}):\n${methods.join('\n')}`;
}

function parametersIn(schema: JsonSchema): Parameter[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([key, property]) => ({
    key,
    name: parameterName(key),
    type: key === 'attachments' ? 'List[AttachmentSource]' : typeText(property, options),
    isRequired: required.has(key),
    description: describe(property),
  }));
}

function describe({ description, $ref }: JsonSchema): string {
  return description ?? ($ref === undefined ? '' : (schemas.get(componentName($ref))?.description ?? ''));
}

function answerType({ answer }: ClientRoute): string {
  return typeText(answer, { isInput: false, nameInline: () => 'Dict[str, Any]' });
}

/** Returns the type of the items of a page. */
function itemType(route: ClientRoute): string {
  const page = schemas.get(componentName(route.answer.$ref ?? ''));
  const items = page?.properties?.[route.items ?? '']?.items ?? {};
  return typeText(items, { isInput: false, nameInline: () => 'Dict[str, Any]' });
}

/** Returns a method of a route. As `search`, a list is given its `query` first. */
function methodText(kind: Kind, route: ClientRoute, as?: 'search'): string {
  const { name, path, items, query, body, summary, description } = route;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, key = '']) => key);
  const inQuery = parametersIn(query);
  const inBody = parametersIn(body);
  const all = [...inQuery, ...inBody]
    .filter(({ key }) => as === undefined || key !== 'query')
    .sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const declared = [
    'self',
    ...inPath.map((key) => `${key}: str`),
    ...(as === undefined ? [] : ['query: str']),
    '*',
    ...all.map(({ name, type, isRequired }) =>
      isRequired ? `${name}: ${type}` : `${name}: ${type} | NotGiven = NOT_GIVEN`,
    ),
    'options: RequestOptions | None = None',
  ];
  const isList = items !== null;
  const answer = isList
    ? `${kind === 'sync' ? 'Page' : 'AsyncPages'}[${itemType(route)}, ${answerType(route)}]`
    : answerType(route);
  const isAwaited = kind === 'async' && !isList;
  const passed = [
    literalText(name),
    ...(inPath[0] === undefined ? [] : [`path_id=${inPath[0]}`]),
    ...(inQuery.length === 0 ? [] : [`query=${givenText(inQuery)}`]),
    ...(inBody.length === 0 ? [] : [`body=${givenText(inBody)}`]),
    'options=options',
  ];
  const call = `self._caller.${isList ? 'list' : 'call'}(${passed.join(', ')})`;
  const returned = isList ? call : `cast(${quoted(answer)}, ${isAwaited ? 'await ' : ''}${call})`;
  const method = as ?? snakeCase(name.split('.')[1] ?? '');
  const doc = [
    ...docLines(`${summary}. ${description}`, '        '),
    ...all.flatMap(({ name, description: text }) => ['', ...docLines(`\`${name}\`: ${text}`, '        ')]),
  ];
  const docstring = doc
    .map((line, index) => (index === 0 || line === '' ? line : `        ${line}`))
    .join('\n');
  return `    ${isAwaited ? 'async ' : ''}def ${method}(
${declared.map((one) => `        ${one},\n`).join('')}    ) -> ${answer}:
        """${docstring}
        """
        ${answer === 'None' ? `${isAwaited ? 'await ' : ''}${call}` : `return ${returned}`}
`;
}

function quoted(type: string): string {
  return `"${type}"`;
}

function givenText(parameters: Parameter[]): string {
  return `given({${parameters.map(({ key, name }) => `${literalText(key)}: ${name}`).join(', ')}})`;
}
