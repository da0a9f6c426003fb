import { createGroupedCall, type GroupedCall } from '../lib/concurrency/group-calls.ts';
import type { Db } from './database.ts';
import { isRolledBack } from './database-errors.ts';
import { requireNoTransaction } from './transaction-guard.ts';

const usuallyAtOnceMax = 100;

/**
 * A query about one thing that many ask for at the same time: what is asked while one is under way goes into the next, so
 * every answer was looked up after it was asked for. `query` answers in the order of its items. Where it fails for what is in
 * it, each item is asked for alone, so that one cannot spoil the others.
 */
export const groupedQuery = <T, R>(
  query: (ctx: { db: Db }, items: T[]) => Promise<R[]>,
  atOnceMax: number = usuallyAtOnceMax,
): ((ctx: { db: Db }, item: T) => Promise<R>) => {
  const calls = new WeakMap<Db, GroupedCall<T, R>>();
  const openCall = (db: Db): GroupedCall<T, R> => {
    const call = createGroupedCall((items: T[]) => queryTogether({ db }, items, query), {
      countOf: (items) => Math.min(items.length, atOnceMax),
    });
    calls.set(db, call);
    return call;
  };
  return ({ db }, item) => {
    if (!db.isTransaction) requireNoTransaction('A grouped query');
    return (calls.get(db) ?? openCall(db))(item);
  };
};

const queryTogether = async <T, R>(
  ctx: { db: Db },
  items: T[],
  query: (ctx: { db: Db }, items: T[]) => Promise<R[]>,
): Promise<(R | Promise<R>)[]> => {
  try {
    return await query(ctx, items);
  } catch (error) {
    if (items.length === 1 || !isRolledBack(error)) throw error;
    return items.map(async (item) => (await query(ctx, [item]))[0] as R);
  }
};
