import { sql } from 'kysely';
import type { Db } from './database.ts';
import { markTransaction } from './transaction-guard.ts';

/** Runs `work` in one transaction, with a context whose queries belong to it; an error rolls it back. */
export function inTransaction<Ctx extends { db: Db }, T>(
  ctx: Ctx,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction().execute((db) => markTransaction(() => work({ ...ctx, db })));
}

/**
 * Runs statements that only read in one transaction on Postgres, in which each ends with an error after `timeoutMs`. An error of `work` ends
 * the transaction.
 */
export function inTimedTransaction<Ctx extends { db: Db }, T>(
  ctx: Ctx,
  timeoutMs: number,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  return ctx.db.connection().execute(async (db) => {
    try {
      // Without parameters, these statements take one round trip. To compile a statement takes longer than to run it, so there is no JIT.
      await sql
        .raw(`begin read only; set local statement_timeout = ${Math.ceil(timeoutMs)}; set local jit = off`)
        .execute(db);
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
