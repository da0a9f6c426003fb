/*
 * A response has a budget of bytes, because one with a hundred large mails would keep all other requests waiting while it is built. A
 * response that is surely small is not measured, so usual pages cost nothing extra.
 */
import { limits } from '@postrider/contract';
import { createBreather } from './concurrency/breather.ts';
import { encodeCursor } from './cursor.ts';
import type { Page } from './page.ts';
import { render } from './rendered.ts';

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
    const most = charactersOf(next) * bytesPerCharacterMax;
    bytesMost += most;
    if (bytesMost > bytesMax * unmeasuredShare) {
      // From here on all views are counted exactly, including the earlier ones.
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
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length + charactersBeside;
  if (typeof value !== 'object' || value === null) return charactersBeside;
  let characters = charactersBeside;
  for (const part of Array.isArray(value) ? value : Object.values(value)) characters += charactersOf(part);
  return characters;
}
