import type { Db } from './database.ts';
import { markTransaction } from './transaction-guard.ts';

/** Runs `work` in one transaction, with a context whose queries belong to it; an error rolls it back. */
export function inTransaction<Ctx extends { db: Db }, T>(
  ctx: Ctx,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction().execute((db) => markTransaction(() => work({ ...ctx, db })));
}
