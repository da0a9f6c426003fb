import type { AppRoute } from '@ts-rest/core';
import { brand } from '../brand.ts';
import { workspaceHeader } from '../console/index.ts';
import { exampleIds } from '../fields/scalars.ts';
import { SchemaCollector } from '../openapi/json-schema.ts';
import { describePaths, describeSchemas } from '../openapi/paths.ts';
import { type Part, responseHeaders, sharedResponses } from '../openapi/responses.ts';
import { listRoutes } from '../routes.ts';
import { namedExamples } from './examples.ts';
import { managementContract, managementPath } from './index.ts';
import { commonAnswers, isForOperator, rightsFor } from './managed.ts';

const version = '1.0.0';
const title = `${brand.product} management API`;
const description = `The controls of the console, for your own programs: API keys, policies, pauses, approvals, members, webhooks and domains.

Send \`Authorization: Bearer <admin token>\` with every request. Owners create tokens in the console, with the rights that
a program needs. A token acts for its creator, and stops working when the creator is no longer an owner. A token of the operator, created
with \`${brand.command} admin-tokens create\`, works for all workspaces: each request
names one in \`${workspaceHeader}\`. Conventions, errors and lists are those of the API; CORS is not supported. API keys are
refused here, and admin tokens everywhere else.`;

const tagsByResource: Record<string, { name: string; description: string }> = {
  keys: { name: 'Keys', description: 'The API keys of agents, and the limits of each.' },
  control: { name: 'Control', description: 'Policies, pauses and disclosure.' },
  approvals: { name: 'Approvals', description: 'Messages that wait for approval.' },
  people: { name: 'People', description: 'Members and invitations. A token cannot change owners.' },
  webhooks: { name: 'Webhooks', description: 'Your endpoints, to which signed events are posted.' },
  domains: { name: 'Domains', description: 'Custom sending domains and dedicated subdomains.' },
  usage: { name: 'Usage', description: 'The usage of the workspace, by day.' },
  workspace: { name: 'Workspace', description: 'The workspace of the request.' },
  workspaces: { name: 'Workspaces', description: 'All workspaces, for tokens of the operator.' },
};

function nameTag(resource: string): string {
  const tag = tagsByResource[resource];
  if (tag === undefined) throw new Error(`give the resource ${resource} a tag in management/openapi.ts`);
  return tag.name;
}

/** The header of tokens of the operator. */
const workspaceParameter: Part = {
  name: workspaceHeader,
  in: 'header',
  required: false,
  description:
    'The id of the workspace. Required with a token of the operator; a token of a workspace needs no such header.',
  schema: { type: 'string' },
  example: exampleIds.workspace,
};

type Operation = Part & { description?: string; parameters?: Part[] };

function withRight(operation: Operation, route: AppRoute): Operation {
  const rights = rightsFor(route);
  const named = rights.map((right) => `\`${right}\``).join(' or ');
  const parameters = [
    ...(operation.parameters ?? []),
    ...(isForOperator(route) ? [] : [{ $ref: '#/components/parameters/Workspace' }]),
  ];
  const { operationId, tags, summary, description: text = '', parameters: _, ...others } = operation;
  return {
    operationId,
    tags,
    summary,
    description: `${text} Right: ${named}.`.trim(),
    'x-rights': rights,
    ...(parameters.length > 0 && { parameters }),
    ...others,
  };
}

/** Returns the management API as an OpenAPI 3.1 document, derived from the contract alone. */
export function buildManagementOpenApi(): Part {
  const shop = {
    schemas: new SchemaCollector(),
    named: namedExamples,
    tagOf: nameTag,
    common: commonAnswers,
  };
  const responses = sharedResponses(shop);
  const paths = describePaths(shop, managementContract, managementPath) as Record<
    string,
    Record<string, Operation>
  >;
  for (const { route } of listRoutes(managementContract)) {
    const path = route.path.slice(managementPath.length).replace(/:(\w+)/g, '{$1}');
    const operations = paths[path] ?? {};
    const method = route.method.toLowerCase();
    operations[method] = withRight(operations[method] ?? {}, route);
  }
  return {
    openapi: '3.1.1',
    info: {
      title,
      version,
      summary: brand.summary,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: brand.defaults.baseUrl.replace(/\/v1$/, managementPath),
        description: 'A server on this machine, with its default settings.',
      },
    ],
    security: [{ bearer: [] }],
    tags: Object.values(tagsByResource),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: `An admin token: \`${brand.adminTokenPrefix}…\`.`,
        },
      },
      parameters: { Workspace: workspaceParameter },
      headers: responseHeaders,
      responses,
      schemas: describeSchemas(shop),
    },
  };
}
