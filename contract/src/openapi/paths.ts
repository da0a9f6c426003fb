import type { AppRouter } from '@ts-rest/core';
import { generateOpenApi, type SchemaTransformerSync } from '@ts-rest/open-api';
import { addDiscriminators, type JsonSchema } from './json-schema.ts';
import { completeOperation, partSchema } from './operation.ts';
import type { Part, Workshop } from './responses.ts';

type SchemaObject = NonNullable<ReturnType<SchemaTransformerSync>>;

/** Returns the paths of a contract below its prefix, which is a part of the server's URL in the document. */
export function describePaths(shop: Workshop, router: AppRouter, pathPrefix: string): Part {
  const { paths } = generateOpenApi(
    router,
    // The title and the version of the document are set where it is created.
    { info: { title: '', version: '' } },
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

/** Returns all named schemas that the document refers to, by name. Call it last. */
export function describeSchemas({ schemas }: Workshop): Record<string, JsonSchema> {
  const { components } = schemas;
  for (const schema of Object.values(components)) addDiscriminators(schemas, schema);
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}
