import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { auditRule } from './audit-rule.ts';

/**
 * Removes a rule. From the next request and the next RCPT of any process on, it no longer applies.
 *
 * @throws ApiError `not_found`.
 */
export async function deleteRule(ctx: Context, id: string): Promise<void> {
  if (!isId('rul', id)) throw notFound('id');
  await inTransaction(ctx, async (tx) => {
    const deleted = await scoped(tx)
      .deleteFrom('rules')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!deleted) throw notFound('id');
    await auditRule(tx, 'deleted', deleted);
  });
}
