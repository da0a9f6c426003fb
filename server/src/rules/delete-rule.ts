import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { auditRule } from './audit-rule.ts';
import { requireMayMakeKnown } from './may-make-known.ts';

/**
 * Removes a rule. From the next request and the next RCPT of any process on, it no longer applies.
 *
 * @throws ApiError `not_found`; `sending_not_allowed` and `owner_only` if a policy limits recipients, and a key or a member would lift a
 * block of some.
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
    if (deleted.kind === 'block' && deleted.direction !== 'inbound') await requireMayMakeKnown(tx);
    await auditRule(tx, 'deleted', deleted);
  });
}
