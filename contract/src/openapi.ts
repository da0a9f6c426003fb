import { brand } from './brand.ts';
import { contract, pathPrefix } from './index.ts';
import { namedExamples } from './openapi/examples.ts';
import { addDiscriminators, SchemaCollector } from './openapi/json-schema.ts';
import { operationOf } from './openapi/operation.ts';
import { type Part, responseHeaders, sharedResponses, type Workshop } from './openapi/responses.ts';
import { tagOf, tags } from './openapi/tags.ts';
import { webhookOperations } from './openapi/webhook-operations.ts';
import { listRoutes } from './routes.ts';

export { eventExamples } from './openapi/examples.ts';

const description = `${brand.summary}

Send \`Authorization: Bearer <API key>\` with every request, and JSON bodies with \`Content-Type: application/json\`.
Unknown fields and query parameters are refused. Ids are opaque. Times are ISO 8601 in UTC. Lists have pages: pass
\`next_cursor\` as \`cursor\` until it is null. Every error has the code in \`error\`, what to do in \`message\`, and
the \`request_id\`.`;

function pathsOf(shop: Workshop): Record<string, Part> {
  const paths: Record<string, Part> = {};
  for (const entry of listRoutes(contract)) {
    const path = entry.route.path.slice(pathPrefix.length).replace(/:(\w+)/g, '{$1}');
    const method = entry.route.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: operationOf(shop, entry, tagOf(entry.resource)) };
  }
  return paths;
}

/** The whole API as an OpenAPI 3.1 document, made from the contract alone. */
export function buildOpenApi(): Part {
  const shop = { schemas: new SchemaCollector(), named: namedExamples };
  const responses = sharedResponses(shop);
  const paths = pathsOf(shop);
  const webhooks = webhookOperations(shop);
  const { components } = shop.schemas;
  for (const schema of Object.values(components)) addDiscriminators(shop.schemas, schema);
  return {
    openapi: '3.1.1',
    info: {
      title: `${brand.product} API`,
      version: '1.0.0',
      summary: brand.summary,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: brand.defaults.baseUrl, description: 'A server on this machine, with its default settings.' },
    ],
    security: [{ bearer: [] }],
    tags,
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key: \`${brand.keyPrefix.live}…\`, or \`${brand.keyPrefix.test}…\` for a test workspace.`,
        },
      },
      headers: responseHeaders,
      responses,
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}
