import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';

/**
 * Removes a rule, which no longer applies to the next request and the next RCPT of any process.
 *
 * @throws ApiError `not_found`.
 */
export const deleteRule = async (ctx: Context, id: string): Promise<void> => {
  if (!isId('rul', id)) throw notFound('id');
  const { numDeletedRows } = await scoped(ctx)
    .deleteFrom('rules')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw notFound('id');
};
