import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';

/** Those of the addresses that the workspace no longer sends to. */
export const findSuppressed = async (ctx: Context, addresses: string[]): Promise<Set<string>> => {
  if (addresses.length === 0) return new Set();
  const rows = await scoped(ctx)
    .selectFrom('suppressions')
    .select('address')
    .where('address', 'in', addresses)
    .execute();
  return new Set(rows.map((row) => row.address));
};
