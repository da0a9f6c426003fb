import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { jobNames } from '../jobs/job-names.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';

/**
 * Deletes a label, which takes it out of every answer at once, since answers show the labels that there are. That messages bore
 * it is removed by a job that commits with it. Who assigns the label holds its row: the job finds what he has written, or he
 * finds the label gone.
 *
 * @throws ApiError `not_found`.
 */
export const deleteLabel = async (ctx: Context, id: string): Promise<void> => {
  if (!isId('lbl', id)) throw notFound('id');
  await inTransaction(ctx, async (tx) => {
    const deleted = await scoped(tx)
      .deleteFrom('labels')
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!deleted) throw notFound('id');
    await tx.queue.enqueue(tx.db, jobNames.purgeLabel, { workspaceId: tx.workspaceId, labelId: id });
  });
  ctx.wakeups.wake(ctx.workspaceId);
};
