/*
 * Hosts and models write arguments in types that differ from the schema of a tool: a list as JSON text, a number or a boolean as text, null
 * for a field that is left out. A value is converted only if the field refuses it, so a subject that looks like JSON or a number stays
 * text. A value that cannot be converted stays unchanged, and the check that follows names its field.
 */
import * as z from 'zod';

/** Returns arguments in the types that the input of a tool has. */
export function readArguments(input: z.ZodObject, args: unknown): unknown {
  return readObject(input, args);
}

function read(schema: z.core.$ZodType, value: unknown): unknown {
  const type = innerType(schema);
  if (value === null || (value === '' && !isText(type)))
    return z.safeParse(schema, value).success ? value : undefined;
  if (type instanceof z.ZodObject) return readObject(type, value);
  if (type instanceof z.ZodArray) return readList(type.element, value);
  if (z.safeParse(schema, value).success) return value;
  if (type instanceof z.ZodNumber) return readNumber(value);
  if (type instanceof z.ZodBoolean) return booleans.get(String(value).trim().toLowerCase()) ?? value;
  // A model may write an id or a key of digits without quotes.
  if (isText(type) && typeof value === 'number') return String(value);
  return value;
}

/** Returns the schema of a field without its default, and whether the field is optional. */
function innerType(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return innerType(schema.unwrap());
  if (schema instanceof z.ZodPipe)
    return innerType(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  return schema;
}

function isText(type: z.core.$ZodType): boolean {
  return type instanceof z.ZodString || type instanceof z.ZodStringFormat;
}

function readObject(type: z.ZodObject, value: unknown): unknown {
  const object = typeof value === 'string' ? fromJson(value) : value;
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return value;
  const fields = Object.entries(object).map(([name, one]) => {
    const field: z.core.$ZodType | undefined = Object.hasOwn(type.shape, name) ? type.shape[name] : undefined;
    return [name, field === undefined ? one : read(field, one)];
  });
  return Object.fromEntries(fields.filter(([, one]) => one !== undefined));
}

function readList(element: z.core.$ZodType, value: unknown): unknown {
  const json = typeof value === 'string' ? fromJson(value) : value;
  const items: unknown[] = Array.isArray(json)
    ? json
    : [typeof json === 'object' && json !== null ? json : value];
  return items.flatMap((item) => {
    const several =
      typeof item === 'string' &&
      !z.safeParse(element, item).success &&
      !(innerType(element) instanceof z.ZodObject);
    return (several ? splitList(item) : [item]).map((one) => read(element, one));
  });
}

/**
 * Returns the items that a text lists, such as `a@x.example, "B, C" <b@x.example>`. A comma ends an address, but not the name before it.
 */
function splitList(text: string): string[] {
  const parts = [''];
  let isQuoted = false;
  for (const character of text) {
    const last = parts.at(-1) ?? '';
    if (character === '"') isQuoted = !isQuoted;
    const ends = /[,;\n]/.test(character) && !isQuoted && (last.includes('@') || !text.includes('@'));
    if (ends) parts.push('');
    else parts[parts.length - 1] = last + character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function readNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(value) ? Number(value) : value;
}

/** Returns the list or object that a text contains as JSON; otherwise the text itself. */
function fromJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
