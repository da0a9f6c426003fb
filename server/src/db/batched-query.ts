import { type Batcher, createBatcher } from '../lib/concurrency/batcher.ts';
import { type Memory, perServer } from '../lib/per-server.ts';
import type { Db } from './database.ts';
import { isRolledBack } from './database-errors.ts';
import { requireNoTransaction } from './transaction-guard.ts';

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
  const callsOf = perServer(() => new WeakMap<Db, Batcher<T, R>>());
  const openCall = ({ db, memory }: BatchContext): Batcher<T, R> => {
    const call = createBatcher((items: T[]) => queryTogether({ db, memory }, items, query), {
      countOf: (items) => Math.min(items.length, atOnceMax),
    });
    callsOf({ memory }).set(db, call);
    return call;
  };
  return (ctx, item) => {
    if (!ctx.db.isTransaction) requireNoTransaction('A grouped query');
    return (callsOf(ctx).get(ctx.db) ?? openCall(ctx))(item);
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
