import { componentName, type JsonSchema } from './json-schema.ts';

/** Complete examples of named schemas, for which the examples of the fields would not tell a consistent story. */
export type NamedExamples = Record<string, unknown>;

/** Examples for fields without their own example, by type. */
const plainExamples: Record<string, unknown> = { string: 'text', integer: 0, number: 0, boolean: true };

/** Returns an example of a schema: its own if it has one, otherwise one made from those of its parts. */
export function findExample(
  schema: JsonSchema,
  components: Record<string, JsonSchema>,
  named: NamedExamples,
): unknown {
  const example = (part: JsonSchema) => findExample(part, components, named);
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.$ref !== undefined) {
    const name = componentName(schema.$ref);
    return Object.hasOwn(named, name) ? named[name] : example(components[name] ?? {});
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  if (first !== undefined) return example(first);
  if (schema.type === 'array') return schema.items === undefined ? [] : [example(schema.items)];
  if (schema.properties !== undefined) {
    return Object.fromEntries(Object.entries(schema.properties).map(([key, part]) => [key, example(part)]));
  }
  return plainExamples[String(schema.type)] ?? (schema.type === 'null' ? null : {});
}
