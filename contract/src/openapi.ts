import { generateOpenApi, type SchemaTransformerSync } from '@ts-rest/open-api';
import { brand } from './brand.ts';
import { contract, pathPrefix } from './index.ts';
import { namedExamples } from './openapi/examples.ts';
import { addDiscriminators, SchemaCollector } from './openapi/json-schema.ts';
import { completeOperation, partSchema } from './openapi/operation.ts';
import { type Part, responseHeaders, sharedResponses, type Workshop } from './openapi/responses.ts';
import { tags } from './openapi/tags.ts';
import { webhookOperations } from './openapi/webhook-operations.ts';

export { eventExamples } from './openapi/examples.ts';

type SchemaObject = NonNullable<ReturnType<SchemaTransformerSync>>;

const version = '1.0.0';
const description = `${brand.summary}

Send \`Authorization: Bearer <API key>\` with every request, and JSON bodies with \`Content-Type: application/json\`.
Unknown fields and query parameters are refused. Ids are opaque. Times are ISO 8601 in UTC. Lists have pages: pass
\`next_cursor\` as \`cursor\` until it is null. Every error has a code in \`error\`, a sentence that says what to do in
\`message\`, and the \`request_id\`.`;

/** Returns the paths of the contract below `/v1`, which is a part of the server's URL in the document. */
function describePaths(shop: Workshop): Part {
  const { paths } = generateOpenApi(
    contract,
    { info: { title: brand.product, version } },
    {
      setOperationId: 'concatenated-path',
      schemaTransformer: ({ schema, type }) => partSchema(shop, schema, type) as SchemaObject | null,
      operationMapper: (operation, route) => completeOperation(shop, operation, route) as typeof operation,
    },
  );
  return Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [path.slice(pathPrefix.length), operations]),
  );
}

/** Returns the whole API as an OpenAPI 3.1 document, derived from the contract alone. */
export function buildOpenApi(): Part {
  const shop = { schemas: new SchemaCollector(), named: namedExamples };
  const responses = sharedResponses(shop);
  const paths = describePaths(shop);
  const webhooks = webhookOperations(shop);
  const { components } = shop.schemas;
  for (const schema of Object.values(components)) addDiscriminators(shop.schemas, schema);
  return {
    openapi: '3.1.1',
    info: {
      title: `${brand.product} API`,
      version,
      summary: brand.summary,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: brand.defaults.baseUrl, description: 'A server on this machine with default settings.' },
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
