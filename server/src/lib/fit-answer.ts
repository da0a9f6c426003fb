/*
 * An answer has a budget of bytes, since one that is made of a hundred large mails would keep everybody else waiting while it is
 * made. What is surely small is not measured, so that usual pages cost nothing more.
 */
import { limits } from '@postrider/contract';
import { createBreather } from './concurrency/breather.ts';
import { encodeCursor } from './cursor.ts';
import type { Page } from './page.ts';
import { render } from './rendered.ts';

/** What a value needs beside its texts: numbers, names of fields, quotes, braces and commas. */
const charactersBeside = 32;
/** A control character becomes six bytes of JSON (`\u0001`), and nothing becomes more. */
const bytesPerCharacterMax = 6;
/** What is not measured may be larger than the budget by as much. */
const unmeasuredShare = 1.5;

/**
 * The views of as many of the rows, from the first one on, as an answer of `bytesMax` holds as JSON; at least one.
 * Others are served in between when it takes long.
 */
export const fitAnswer = async <Row, View extends object>(
  rows: Row[],
  view: (row: Row) => View,
  bytesMax = limits.answerBytesMax,
): Promise<View[]> => {
  const breathe = createBreather();
  const views: View[] = [];
  let bytesMost = 0;
  let bytes = 0;
  for (const row of rows) {
    const next = view(row);
    const most = charactersOf(next) * bytesPerCharacterMax;
    bytesMost += most;
    if (bytesMost > bytesMax * unmeasuredShare) {
      // From here on it is counted exactly, and what came before with it.
      if (bytes === 0) for (const earlier of views) bytes += render(earlier).length;
      bytes += render(next).length;
      if (views.length > 0 && bytes > bytesMax) return views;
    }
    views.push(next);
    await breathe();
  }
  return views;
};

/** A page of views, which ends early where its answer would become too large. */
export const fitPage = async <Row, View extends object>(
  { rows, nextCursor }: Page<Row>,
  view: (row: Row) => View,
  keyOf: (row: Row) => string[],
): Promise<{ items: View[]; nextCursor: string | null }> => {
  const items = await fitAnswer(rows, view);
  const last = items.length < rows.length ? rows[items.length - 1] : undefined;
  return { items, nextCursor: last === undefined ? nextCursor : encodeCursor(keyOf(last)) };
};

/** How many characters the texts of a value have, and what stands around them. */
const charactersOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length + charactersBeside;
  if (typeof value !== 'object' || value === null) return charactersBeside;
  let characters = charactersBeside;
  for (const part of Array.isArray(value) ? value : Object.values(value)) characters += charactersOf(part);
  return characters;
};
