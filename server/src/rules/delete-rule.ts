import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';

/**
 * Removes a rule. From the next request and the next RCPT of any process on, it no longer applies.
 *
 * @throws ApiError `not_found`.
 */
export async function deleteRule(ctx: Context, id: string): Promise<void> {
  if (!isId('rul', id)) throw notFound('id');
  const { numDeletedRows } = await scoped(ctx)
    .deleteFrom('rules')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw notFound('id');
}
