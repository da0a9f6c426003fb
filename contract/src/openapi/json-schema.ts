import * as z from 'zod';

/** A JSON Schema (draft 2020-12) of an OpenAPI 3.1 document. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  [keyword: string]: unknown;
}

/** The side of a schema: what callers send, or what the server responds with. */
export type Direction = 'input' | 'output';

const refPrefix = '#/components/schemas/';

/** Returns the name of the component that a reference points to. */
export function componentName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** Turns zod schemas into JSON Schemas and collects the named ones. A name must mean the same schema wherever it is used. */
export class SchemaCollector {
  readonly components: Record<string, JsonSchema> = {};

  /** Returns the JSON Schema of one side of a zod schema, which is a reference if the schema has a name. */
  convert(schema: z.ZodType, direction: Direction): JsonSchema {
    // A schema with a name becomes a reference only inside of another one, and would otherwise become the root of the document.
    const wrapped = z.toJSONSchema(z.object({ root: schema }), {
      target: 'draft-2020-12',
      io: direction,
      unrepresentable: 'any',
      override: refine,
    });
    const plain: JsonSchema = settle(wrapped as JsonSchema);
    for (const [name, definition] of Object.entries(takeDefinitions(plain))) this.#add(name, definition);
    return plain.properties?.root ?? {};
  }

  #add(name: string, { id: _, ...definition }: JsonSchema): void {
    const known = this.components[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
      throw new Error(`component ${name} means two things; give its request and its response different ids`);
    }
    this.components[name] = definition;
  }

  /** Returns the schema itself, or the component that it refers to. */
  resolve(schema: JsonSchema): JsonSchema {
    return schema.$ref === undefined ? schema : (this.components[componentName(schema.$ref)] ?? {});
  }
}

function takeDefinitions(schema: JsonSchema): Record<string, JsonSchema> {
  return (schema.$defs ?? {}) as Record<string, JsonSchema>;
}

function refine({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  const { def } = zodSchema._zod;
  // A default of an object only means that the body may be missing, so it is not shown.
  if (def.type === 'default' && jsonSchema.type === 'object') delete jsonSchema.default;
  // The format is enough, and the pattern would fill five lines.
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  // Responses may get more fields, which clients must not refuse.
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
  if ('orOne' in jsonSchema) takeOne(jsonSchema as JsonSchema);
  // Coerced query fields lose their examples and defaults, which might not be valid before the coercion. Those of this contract are.
  const { examples, default: given } = z.globalRegistry.get(zodSchema) ?? {};
  if (Array.isArray(examples)) jsonSchema.examples = examples;
  if (given !== undefined) Object.assign(jsonSchema, { default: given });
}

/** Turns the schema of a list into that of a list or a single item. */
function takeOne(jsonSchema: JsonSchema): void {
  const { orOne: _, description, examples, ...list } = jsonSchema;
  for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
  Object.assign(jsonSchema, { description, examples, anyOf: [list.items, list] });
}

/** Points references at the components, and writes `string or null` in the short form that more tools understand. */
function settle(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${refPrefix}`), (_key, part: unknown) =>
    typeof part === 'object' && part !== null && 'anyOf' in part ? mergeNull(part as JsonSchema) : part,
  ) as JsonSchema;
}

function mergeNull(schema: JsonSchema): JsonSchema {
  const [inner, empty, ...others] = schema.anyOf ?? [];
  const isSimple = typeof inner?.type === 'string' && empty?.type === 'null' && others.length === 0;
  if (!isSimple) return schema;
  const { anyOf: _, ...outer } = schema;
  const { enum: values } = inner;
  return {
    ...inner,
    ...outer,
    type: [String(inner.type), 'null'],
    ...(values ? { enum: [...values, null] } : {}),
  };
}

/** Names the field that tells the members of a union apart, so that generated clients can narrow by it. */
export function addDiscriminators(components: SchemaCollector, schema: JsonSchema): void {
  const members = schema.oneOf ?? [];
  const refs = members.map((member) => member.$ref);
  const [first] = members.map((member) => components.resolve(member).properties ?? {});
  const propertyName = Object.entries(first ?? {}).find(([, property]) => property.const !== undefined)?.[0];
  if (propertyName === undefined || refs.some((ref) => ref === undefined)) return;
  const mapping = members.map((member) => [
    String(components.resolve(member).properties?.[propertyName]?.const),
    member.$ref ?? '',
  ]);
  schema.discriminator = { propertyName, mapping: Object.fromEntries(mapping) };
}
