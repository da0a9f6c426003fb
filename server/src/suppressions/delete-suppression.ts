import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { normalizeAddress } from '../lib/email-address.ts';

/**
 * Takes an address, in any of its spellings, off the list: the next send goes to it again.
 *
 * @throws ApiError `not_found` when it is not on the list.
 */
export const deleteSuppression = async (ctx: Context, address: string): Promise<void> => {
  const deleted = await scoped(ctx)
    .deleteFrom('suppressions')
    .where('address', '=', normalizeAddress(address) ?? '')
    .returning('address')
    .executeTakeFirst();
  if (!deleted) throw notFound('address');
};
