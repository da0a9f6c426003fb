/*
 * A response has a budget of bytes, because one with a hundred large mails would keep all other requests waiting while it is built. A
 * response that is surely small is not measured, so usual pages cost nothing extra.
 */
import { limits } from '@postrider/contract';
import { createBreather } from './concurrency/wait.ts';
import type { Page } from './cursor.ts';
import { encodeCursor } from './cursor.ts';

/** The characters of a value other than its texts: numbers, names of fields, quotes, braces and commas. */
const charactersBeside = 32;
/** A control character becomes six bytes of JSON (`\u0001`), which is the most for any character. */
const bytesPerCharacterMax = 6;
/** A response is measured once it may exceed the budget by this factor. */
const unmeasuredShare = 1.5;

/**
 * Returns the views of the first rows, as many as fit into `bytesMax` of JSON, at least one. Other requests are served in between if it
 * takes long.
 */
export async function fitAnswer<Row, View extends object>(
  rows: Row[],
  view: (row: Row) => View,
  bytesMax = limits.answerBytesMax,
): Promise<View[]> {
  const breathe = createBreather();
  const views: View[] = [];
  let bytesMost = 0;
  let bytes = 0;
  for (const row of rows) {
    const next = view(row);
    const most = countCharacters(next) * bytesPerCharacterMax;
    bytesMost += most;
    if (bytesMost > bytesMax * unmeasuredShare) {
      // From here on, all views are counted exactly, including the earlier ones.
      if (bytes === 0) for (const earlier of views) bytes += render(earlier).length;
      bytes += render(next).length;
      if (views.length > 0 && bytes > bytesMax) return views;
    }
    views.push(next);
    await breathe();
  }
  return views;
}

/** Returns a page of views, which ends early if its response would become too large. */
export async function fitPage<Row, View extends object>(
  { rows, nextCursor }: Page<Row>,
  view: (row: Row) => View,
  keyOf: (row: Row) => string[],
): Promise<{ items: View[]; nextCursor: string | null }> {
  const items = await fitAnswer(rows, view);
  const last = items.length < rows.length ? rows[items.length - 1] : undefined;
  return { items, nextCursor: last === undefined ? nextCursor : encodeCursor(keyOf(last)) };
}

/** Returns the number of characters of the texts of a value, with an allowance for the characters around them. */
function countCharacters(value: unknown): number {
  if (typeof value === 'string') return value.length + charactersBeside;
  if (typeof value !== 'object' || value === null) return charactersBeside;
  let characters = charactersBeside;
  for (const part of Array.isArray(value) ? value : Object.values(value)) characters += countCharacters(part);
  return characters;
}

/* Keeps the JSON of values that were rendered to measure them, so that they are not rendered again when they are sent. */

const rendered = new WeakMap<object, Buffer>();

/** Returns the JSON of a value, which must not change from here on. */
export function render(value: object): Buffer {
  const known = rendered.get(value);
  if (known) return known;
  const json = Buffer.from(JSON.stringify(value));
  rendered.set(value, json);
  return json;
}

/** Returns the JSON of a value if it was rendered before. */
export function findRendered(value: unknown): Buffer | undefined {
  return typeof value === 'object' && value !== null ? rendered.get(value) : undefined;
}
