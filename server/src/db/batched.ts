import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { withinTime } from '../lib/concurrency/wait.ts';
import { type Memory, perServer } from '../lib/memory.ts';
import { requireNoTransaction } from './connections.ts';
import { isRolledBack } from './database-errors.ts';
import type { Db } from './tables.ts';

/** Makes a call for one item, which may be part of one call for many items. */
export type Batcher<T, R> = (item: T) => Promise<R>;

/** The rules for grouping items. */
interface BatchLimits<T> {
  /** Returns how many of the waiting items go into the next call, at least one. */
  countOf(items: T[]): number;
  /** The number of calls that can be in progress at once; default 1. */
  callsMax?: number;
}

/** A call is for many callers, so it does not run in the async context of the first one, which may name its owner. */
const outside = AsyncLocalStorage.snapshot();

interface Waiting<R> {
  resolve(answer: R | Promise<R>): void;
  reject(error: unknown): void;
}

/**
 * Creates a function that combines the items of one turn of the event loop, and those that arrive while calls are in progress, into one
 * call. Many callers at once thus cost few calls, and a single one waits for nobody. Callers that get their results together make their
 * next calls together. `call` returns the results in the order of its items, each as a value or its own promise; if it fails, all its
 * callers fail. Later callers do not wait for a call that takes longer than two seconds, for example on a dead connection.
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
  callsMax = 1,
): (ctx: BatchContext, item: T) => Promise<R> {
  // A transaction has its own calls.
  const serverCalls = perServer(() => new WeakMap<Db, Batcher<T, R>>());
  const openCall = ({ db, memory }: BatchContext): Batcher<T, R> => {
    const call = createBatcher((items: T[]) => queryTogether({ db, memory }, items, query), {
      countOf: (items) => Math.min(items.length, atOnceMax),
      callsMax,
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
