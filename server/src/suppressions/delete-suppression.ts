import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { normalizeAddress } from '../lib/email-address.ts';

/**
 * Removes an address, in any of its spellings, from the list. The next message is sent to it again.
 *
 * @throws ApiError `not_found` if it is not on the list.
 */
export async function deleteSuppression(ctx: Context, address: string): Promise<void> {
  const deleted = await scoped(ctx)
    .deleteFrom('suppressions')
    .where('address', '=', normalizeAddress(address) ?? '')
    .returning('address')
    .executeTakeFirst();
  if (!deleted) throw notFound('address');
}
