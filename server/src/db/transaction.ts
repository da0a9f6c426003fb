import { sql } from 'kysely';
import type { Db } from './database.ts';
import { markTransaction } from './transaction-guard.ts';

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
