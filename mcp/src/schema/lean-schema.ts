/*
 * Tools are described in as few tokens as possible, because every conversation pays for the list. Patterns are left out; the error for a
 * value that does not match explains it.
 */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod';

type Json = Record<string, unknown>;

/** Returns the input schema of a tool as hosts show it to models. The tool checks the arguments itself, with better errors. */
export function leanInput(schema: z.ZodObject): StandardSchemaWithJSON<Json> {
  return standard(schema, true);
}

/** Returns the output schema of a tool, without descriptions: the values speak for themselves. */
export function leanOutput(schema: z.ZodObject): StandardSchemaWithJSON<Json> {
  return standard(schema, false);
}

/** Over HTTP, each request has its own server, and all of them have the same tools. */
const known = { input: new WeakMap<z.ZodObject, Json>(), output: new WeakMap<z.ZodObject, Json>() };

function standard(schema: z.ZodObject, isInput: boolean): StandardSchemaWithJSON<Json> {
  const of = isInput ? known.input : known.output;
  const json = () => {
    const made = of.get(schema) ?? lean(schema, isInput);
    of.set(schema, made);
    return made;
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'zod',
      validate: (value) => ({ value: value as Json }),
      jsonSchema: { input: json, output: json },
    },
  };
}

function lean(schema: z.ZodObject, isInput: boolean): Json {
  const json = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Json;
  const pruned = new Pruning(isInput, (json.$defs ?? {}) as Json).prune(json) as Json;
  if (!isInput) return pruned;
  const required = requiredNames(schema);
  const { required: _, ...rest } = pruned;
  return { ...rest, ...(required.length > 0 && { required }) };
}

/** A field with a default always has a value in the output, and is optional in the input. */
function requiredNames(schema: z.ZodObject): string[] {
  return Object.entries(schema.shape).flatMap(([name, field]) =>
    (field as z.ZodType).safeParse(undefined).success ? [] : [name],
  );
}

const kept = new Set(['type', 'enum', 'const']);

function isList(schema: unknown): boolean {
  return (schema as Json).type === 'array';
}

class Pruning {
  readonly #isInput: boolean;
  readonly #definitions: Json;
  readonly #depthMax: number;

  constructor(isInput: boolean, definitions: Json) {
    this.#isInput = isInput;
    this.#definitions = definitions;
    this.#depthMax = isInput ? 1 : 2;
  }

  /** `depth` counts the enclosing objects. The fields of the result and of the items of its lists are named; deeper fields are not. */
  prune(json: unknown, depth = 0): unknown {
    if (Array.isArray(json)) return json.map((one) => this.prune(one, depth));
    if (typeof json !== 'object' || json === null) return json;
    const { $ref, ...own } = json as Json;
    const { description: _, ...named } = this.#definitionOf($ref);
    const result: Json = {};
    for (const [key, value] of Object.entries({ ...named, ...own })) {
      if (key === 'properties') {
        if (depth < this.#depthMax) result[key] = this.#each(value as Json, depth);
      } else if (key === 'required') {
        if (depth < this.#depthMax) result[key] = requiredAmong(value as string[], own.properties as Json);
      } else if (key === 'items') result[key] = withoutWords(this.prune(value, depth));
      else if (key === 'anyOf') Object.assign(result, withoutNull(this.prune(value, depth) as Json[]));
      else if (this.#isInput && key === 'description') result[key] = value;
      else if (kept.has(key)) result[key] = key === 'type' ? withoutNullType(value) : value;
    }
    // The values of an enumeration show its type.
    if (result.enum !== undefined && !Array.isArray(result.type)) delete result.type;
    return result;
  }

  #definitionOf(ref: unknown): Json {
    return typeof ref === 'string' ? ((this.#definitions[ref.split('/').at(-1) ?? ''] ?? {}) as Json) : {};
  }

  #each(properties: Json, depth: number): Json {
    const pruned = ([name, one]: [string, unknown]) => [name, this.prune(one, depth + (isList(one) ? 1 : 2))];
    return Object.fromEntries(Object.entries(properties).map(pruned));
  }
}

function requiredAmong(names: string[], properties: Json): string[] {
  return names.filter((name) => !canBeNull(properties[name]));
}

/** The list describes its items once, and the field describes its options. */
function withoutWords(item: unknown): unknown {
  const { description: _, ...rest } = item as Json;
  return rest;
}

/** Fields without a value are left out, because several hosts do not support nullable types. The field keeps its own description. */
function withoutNull(options: Json[]): Json {
  const others = options.filter(({ type }) => type !== 'null').map(withoutWords) as Json[];
  return others.length === 1 ? (others[0] as Json) : { anyOf: others };
}

function withoutNullType(type: unknown): unknown {
  const others = Array.isArray(type) ? type.filter((one) => one !== 'null') : [type];
  return others.length === 1 ? others[0] : others;
}

function canBeNull(schema: unknown): boolean {
  const { type, anyOf } = schema as { type?: unknown; anyOf?: Json[] };
  return (
    (Array.isArray(type) && type.includes('null')) ||
    (anyOf?.some(({ type: one }) => one === 'null') ?? false)
  );
}
