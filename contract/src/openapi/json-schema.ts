import * as z from 'zod';

/** A JSON Schema (draft 2020-12) as OpenAPI 3.1 holds it. */
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

/** Which side of a schema is meant: what callers send, or what the server answers. */
export type Direction = 'input' | 'output';

const refPrefix = '#/components/schemas/';

/** The component that a reference names. */
export function componentName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** Turns zod schemas into JSON Schemas and collects the named ones, each of which must mean one thing wherever it is used. */
export class SchemaCollector {
  readonly components: Record<string, JsonSchema> = {};

  /** The JSON Schema of one side of a zod schema: a reference when it has a name. */
  convert(schema: z.ZodType, direction: Direction): JsonSchema {
    // Inside an object even a schema with a name becomes a reference instead of the root of the document.
    const wrapped = z.toJSONSchema(z.object({ root: schema }), {
      target: 'draft-2020-12',
      io: direction,
      unrepresentable: 'any',
      override: refine,
    });
    const plain: JsonSchema = settle(wrapped as JsonSchema);
    for (const [name, definition] of Object.entries(definitionsOf(plain))) this.#add(name, definition);
    return plain.properties?.root ?? {};
  }

  #add(name: string, { id: _, ...definition }: JsonSchema): void {
    const known = this.components[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
      throw new Error(`component ${name} means two things; give its request and its answer different ids`);
    }
    this.components[name] = definition;
  }

  /** The schema itself, or the component that it refers to. */
  resolve(schema: JsonSchema): JsonSchema {
    return schema.$ref === undefined ? schema : (this.components[componentName(schema.$ref)] ?? {});
  }
}

function definitionsOf(schema: JsonSchema): Record<string, JsonSchema> {
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
  // A body that may be missing is not one that has a default.
  if (def.type === 'default' && jsonSchema.type === 'object') delete jsonSchema.default;
  // The format says it all; the pattern behind it fills five lines.
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  // Answers may get more fields; clients must not refuse them.
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
  if ('orOne' in jsonSchema) takeOne(jsonSchema as JsonSchema);
  // Coerced query fields lose these, since in general they would not hold before the coercion; ours do.
  const { examples, default: given } = z.globalRegistry.get(zodSchema) ?? {};
  if (Array.isArray(examples)) jsonSchema.examples = examples;
  if (given !== undefined) Object.assign(jsonSchema, { default: given });
}

/** A list that may also be given as one item alone. */
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

/** Names the field that tells the members of each union apart, so that generated clients can narrow by it. */
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
