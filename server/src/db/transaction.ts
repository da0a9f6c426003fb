import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** The transaction that code is in, with what is to be done once it has committed. */
const open = new AsyncLocalStorage<(() => void)[]>();

/** Runs `work` in one transaction, with a context whose queries belong to it; an error rolls it back. */
export async function inTransaction<Ctx extends { db: Db }, T>(
  ctx: Ctx,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const committed: (() => void)[] = [];
  const result = await ctx.db
    .transaction()
    .execute((db) => markTransaction(() => work({ ...ctx, db }), committed));
  for (const act of committed) act();
  return result;
}

/**
 * Runs statements that only read in one transaction on Postgres, in which each ends with an error after `timeoutMs`. An error of `work`
 * ends the transaction.
 */
export function inTimedTransaction<Ctx extends { db: Db }, T>(
  ctx: Ctx,
  timeoutMs: number,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  return ctx.db.connection().execute(async (db) => {
    try {
      await sql.raw(settingsOf(timeoutMs)).execute(db);
      const result = await markTransaction(() => work({ ...ctx, db }));
      await sql`commit`.execute(db);
      return result;
    } catch (error) {
      // It fails only with the connection, which the pool then drops.
      await sql`rollback`.execute(db).catch(() => {});
      throw error;
    }
  });
}

/**
 * Without parameters, these statements take one round trip. Workers beside the connection would share one statement among the cores that
 * other searches need: with two cores they took three times the processor time for 100,000 codes, and saved none.
 */
function settingsOf(timeoutMs: number): string {
  return `begin read only; set local statement_timeout = ${Math.ceil(timeoutMs)}; set local max_parallel_workers_per_gather = 0`;
}

/** Runs `work` marked as being inside a transaction, which does what is in `committed` once it has committed. */
function markTransaction<T>(work: () => Promise<T>, committed: (() => void)[] = []): Promise<T> {
  return open.run(committed, work);
}

/** Calls `act` once the transaction has committed that the caller is in, or at once outside of one. */
export function afterCommit(act: () => void): void {
  const committed = open.getStore();
  if (committed) committed.push(act);
  else act();
}

/** Runs `work` without the mark. Anything that it starts, such as a timer, continues after the transaction and is not part of it. */
export function leaveTransaction<T>(work: () => T): T {
  return open.exit(work);
}

/**
 * Throws inside a transaction. All code that waits for something else (a provider, a file, DNS, a second connection) calls it, because such
 * a wait holds a connection and its locks.
 */
export function requireNoTransaction(what: string): void {
  if (open.getStore()) throw new Error(`${what} inside a transaction: do it before or after.`);
}

/** Returns a resource whose every method throws inside a transaction. */
export function outsideTransactions<T extends object>(what: string, resource: T): T {
  return new Proxy(resource, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        requireNoTransaction(what);
        return member.apply(target, args);
      };
    },
  });
}
