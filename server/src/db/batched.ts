/*
 * Many items in one call: those that come together, rows that nobody waits for, and lists as parameters of a statement.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DeleteQueryBuilder, type DeleteResult, type SelectQueryBuilder, sql } from 'kysely';
import type { Logger } from 'pino';
import { withinTime } from '../lib/concurrency/wait.ts';
import { type Memory, perServer } from '../lib/memory.ts';
import { requireNoTransaction } from './connections.ts';
import { isRolledBack } from './database-errors.ts';
import type { Db, Tables } from './tables.ts';

/** Makes a call for one item, which may be part of one call for many items. */
export type Batcher<T, R> = (item: T) => Promise<R>;

/** How items are grouped. */
interface BatchLimits<T> {
  /** Returns how many of the waiting items go into the next call, at least one. */
  countOf(items: T[]): number;
  /** How many calls may be under way at once; default 1. */
  callsMax?: number;
}

/** A call is for many callers, so it does not run in the async context of the first one, which may name its owner. */
const outside = AsyncLocalStorage.snapshot();

interface Waiting<R> {
  resolve(answer: R | Promise<R>): void;
  reject(error: unknown): void;
}

/**
 * Creates a function that puts the items of one turn of the event loop, and those that come while calls are under way, into one call. So
 * many callers at once cost few calls, and a lone one waits for nobody. Callers that get their results together make their next calls
 * together. `call` returns the results in the order of its items, each as a value or a promise of its own, and if it fails, all of its
 * callers fail. Later callers do not wait for a call that takes longer than two seconds, as on a dead connection.
 */
export function createBatcher<T, R>(
  call: (items: T[]) => Promise<(R | Promise<R>)[]>,
  { countOf, callsMax = 1 }: BatchLimits<T>,
): Batcher<T, R> {
  const items: T[] = [];
  const waiting: Waiting<R>[] = [];
  let underway = 0;
  const callNext = async () => {
    const count = Math.max(1, countOf(items));
    const askers = waiting.splice(0, count);
    try {
      const answers = await call(items.splice(0, count));
      for (const [index, asker] of askers.entries()) asker.resolve(answers[index] as R | Promise<R>);
    } catch (error) {
      for (const asker of askers) asker.reject(error);
    }
  };
  const run = async () => {
    underway += 1;
    await nextTurn();
    while (items.length > 0) await withinTime(callNext(), slowMs, undefined);
    underway -= 1;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      items.push(item);
      waiting.push({ resolve, reject });
      if (underway < callsMax) void outside(run);
    });
}

const slowMs = 2_000;

const usuallyAtOnceMax = 100;

/** The context of a query that is grouped. */
export interface BatchContext {
  db: Db;
  memory: Memory;
}

/**
 * Creates a query about one item that groups concurrent calls. Items that are requested while a query is under way go into the next one, so
 * every result was looked up after its request. `query` returns the results in the order of its items. If it fails because of its items,
 * each is queried alone, so that one cannot spoil the others.
 */
export function batchedQuery<T, R>(
  query: (ctx: BatchContext, items: T[]) => Promise<R[]>,
  atOnceMax: number = usuallyAtOnceMax,
): (ctx: BatchContext, item: T) => Promise<R> {
  // A transaction has calls of its own.
  const serverCalls = perServer(() => new WeakMap<Db, Batcher<T, R>>());
  const openCall = ({ db, memory }: BatchContext): Batcher<T, R> => {
    const call = createBatcher((items: T[]) => queryTogether({ db, memory }, items, query), {
      countOf: (items) => Math.min(items.length, atOnceMax),
    });
    serverCalls({ memory }).set(db, call);
    return call;
  };
  return (ctx, item) => {
    if (!ctx.db.isTransaction) requireNoTransaction('A grouped query');
    return (serverCalls(ctx).get(ctx.db) ?? openCall(ctx))(item);
  };
}

async function queryTogether<T, R>(
  ctx: BatchContext,
  items: T[],
  query: (ctx: BatchContext, items: T[]) => Promise<R[]>,
): Promise<(R | Promise<R>)[]> {
  try {
    return await query(ctx, items);
  } catch (error) {
    if (items.length === 1 || !isRolledBack(error)) throw error;
    return items.map(async (item) => (await query(ctx, [item]))[0] as R);
  }
}

/** A writer of rows that nobody waits for. */
export interface WriteBehind<Row> {
  add(row: Row): void;
  /** Writes the rows that are still waiting. The log says how many could not be written. */
  close(): Promise<void>;
}

/** How rows are written. */
export interface WriteBehindOptions<Row> {
  log: Logger;
  /** The name of the rows in lines of the log, such as `SMTP decisions`. */
  what: string;
  flushAfterMs: number;
  batchRows: number;
  write(rows: Row[]): Promise<unknown>;
}

const waitingMax = 10_000;

/**
 * Writes rows in batches, a moment after they came, so that a flood of them costs a few statements. A crash loses the last moments. While
 * the database is away, the newest 10,000 rows wait and older ones are lost, which the log says.
 */
export function createWriteBehind<Row>(options: WriteBehindOptions<Row>): WriteBehind<Row> {
  const { log, what, flushAfterMs, batchRows, write } = options;
  let waiting: Row[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | null = null;
  let flushing: Promise<void> = Promise.resolve();
  const reportDropped = (why: string) => {
    if (dropped > 0) log.warn({ dropped }, `${what} were dropped, because ${why}`);
    dropped = 0;
  };
  const keepNewest = () => {
    const excess = Math.max(0, waiting.length - waitingMax);
    if (excess > 0) waiting.splice(0, excess);
    dropped += excess;
  };
  const writeNext = async (): Promise<boolean> => {
    const batch = waiting.splice(0, batchRows);
    try {
      await write(batch);
      reportDropped('too many were waiting');
      return true;
    } catch (error) {
      log.warn({ err: error }, `${what} were not written, trying again`);
      waiting = [...batch, ...waiting];
      keepNewest();
      return false;
    }
  };
  const flush = async () => {
    while (waiting.length > 0 && (await writeNext()));
  };
  const flushLater = () => {
    timer ??= setTimeout(() => {
      timer = null;
      flushing = flushing.then(flush).then(() => {
        if (waiting.length > 0) flushLater();
      });
    }, flushAfterMs).unref();
  };
  return {
    add: (row) => {
      waiting.push(row);
      keepNewest();
      flushLater();
    },
    close: async () => {
      if (timer) clearTimeout(timer);
      await flushing;
      await flush();
      dropped += waiting.length;
      reportDropped('the server ended before they could be written');
    },
  };
}

const deletedRows = 1_000;

/** Deletes the rows of a table that `rows` selects, in statements of 1,000 rows each, so that no lock is held for long. */
export async function deleteInBatches<T extends keyof Tables>(
  rows: SelectQueryBuilder<Tables, T, object>,
  from: DeleteQueryBuilder<Tables, T, DeleteResult>,
): Promise<void> {
  const places = rows.select(sql<string>`ctid`.as('place')).limit(deletedRows);
  const batch = from.where(sql`ctid`, '=', sql`any(array(${places}))`);
  await untilDone(async () => (await batch.executeTakeFirstOrThrow()).numDeletedRows > 0n);
}

/** Repeats a step until it returns that nothing is left. */
export async function untilDone(step: () => Promise<boolean>): Promise<void> {
  for (let hasMore = true; hasMore; ) hasMore = await step();
}

/*
 * Lists of long texts and bytes as parameters of a statement. `pg` turns a list into one text, and both it and the database read each
 * character of that several times. It sends a Buffer unchanged, in the binary format of the parameter's type.
 */

const typeIds = { bytea: 17, int4: 23, text: 25 };
const intBytes = 4;
const headBytes = 20;
const lengthBytes = 4;
const nullLength = -1;

/** Returns a parameter of the type `text[]`. */
export function textList(texts: (string | null)[]): Buffer {
  const lengths = texts.map((text) => (text === null ? nullLength : Buffer.byteLength(text)));
  return encodeList('text', lengths, (list, index, at) => list.write(texts[index] as string, at));
}

/** Returns a parameter of the type `bytea[]`. */
export function byteaList(values: (Buffer | null)[]): Buffer {
  const lengths = values.map((value) => value?.length ?? nullLength);
  return encodeList('bytea', lengths, (list, index, at) => (values[index] as Buffer).copy(list, at));
}

/** Returns a parameter of the type `int[]`. */
export function intList(values: (number | null)[]): Buffer {
  const lengths = values.map((value) => (value === null ? nullLength : intBytes));
  return encodeList('int4', lengths, (list, index, at) => list.writeInt32BE(values[index] as number, at));
}

/**
 * Writes a list as `array_recv` of Postgres reads it: dimensions, whether there are nulls, type, size and first index, then each item after
 * its length.
 */
function encodeList(
  type: keyof typeof typeIds,
  lengths: number[],
  write: (list: Buffer, index: number, at: number) => void,
): Buffer {
  const itemBytes = lengths.reduce((sum, length) => sum + lengthBytes + Math.max(0, length), 0);
  const list = Buffer.allocUnsafe(headBytes + itemBytes);
  const hasNulls = lengths.includes(nullLength);
  let at = 0;
  for (const field of [1, Number(hasNulls), typeIds[type], lengths.length, 1])
    at = list.writeInt32BE(field, at);
  for (const [index, length] of lengths.entries()) {
    at = list.writeInt32BE(length, at);
    if (length === nullLength) continue;
    write(list, index, at);
    at += length;
  }
  return list;
}
