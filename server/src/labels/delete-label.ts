import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { jobNames } from '../jobs/job-names.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';

/**
 * Deletes a label. It disappears from every response at once, since responses show only labels that exist. A job that commits with it takes
 * the label off its messages. An assignment locks the row of the label, so either the job finds the assignment, or the assignment finds the
 * label gone.
 *
 * @throws ApiError `not_found`.
 */
export async function deleteLabel(ctx: Context, id: string): Promise<void> {
  if (!isId('lbl', id)) throw notFound('id');
  await inTransaction(ctx, async (tx) => {
    const deleted = await scoped(tx)
      .deleteFrom('labels')
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!deleted) throw notFound('id');
    await tx.queue.enqueue(tx, jobNames.purgeLabel, { workspaceId: tx.workspaceId, labelId: id });
  });
  ctx.wakeups.wake(ctx.workspaceId);
}
