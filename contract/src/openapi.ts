import { answers } from './answers.ts';
import { brand } from './brand.ts';
import { contract, pathPrefix } from './index.ts';
import { namedExamples } from './openapi/examples.ts';
import { SchemaCollector } from './openapi/json-schema.ts';
import { describePaths, describeSchemas } from './openapi/paths.ts';
import { type Part, responseHeaders, sharedResponses } from './openapi/responses.ts';
import { resourceTag, tags } from './openapi/tags.ts';
import { webhookOperations } from './openapi/webhook-operations.ts';

export { eventExamples } from './openapi/examples.ts';

const version = '1.0.0';
const description = `${brand.summary}

Send \`Authorization: Bearer <API key>\` with every request, and JSON bodies with \`Content-Type: application/json\`.
Unknown fields and query parameters are refused. Ids are opaque. Times are ISO 8601 in UTC. Lists have pages: pass
\`next_cursor\` as \`cursor\` until it is null. Every error has a code in \`error\`, a sentence that says what to do in
\`message\`, and the \`request_id\`.`;

/** Returns the whole API as an OpenAPI 3.1 document, derived from the contract alone. */
export function buildOpenApi(): Part {
  const shop = {
    schemas: new SchemaCollector(),
    named: namedExamples,
    tagOf: resourceTag,
    common: answers(),
  };
  const responses = sharedResponses(shop);
  const paths = describePaths(shop, contract, pathPrefix);
  const webhooks = webhookOperations(shop);
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
      schemas: describeSchemas(shop),
    },
  };
}
