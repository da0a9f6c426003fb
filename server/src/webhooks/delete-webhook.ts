import { recordAct } from '../audit/record-act.ts';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { jobNames } from '../jobs/job-names.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { endWatches } from './posting/watch-webhook-state.ts';
import { auditedWebhook } from './webhook.view.ts';

/**
 * Deletes a webhook. Posts under way to it are cut, nothing further is posted, and its deliveries are gone from every response. A job
 * that is created in the same transaction removes their rows.
 *
 * @throws ApiError `not_found`.
 */
export async function deleteWebhook(ctx: Context, id: string): Promise<void> {
  if (!isId('whk', id)) throw notFound('id');
  await inTransaction(ctx, async (tx) => {
    const deleted = await scoped(tx)
      .deleteFrom('webhooks')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!deleted) throw notFound('id');
    await tx.queue.enqueue(tx, jobNames.purgeWebhook, { workspaceId: tx.workspaceId, webhookId: id });
    await recordAct(tx, { action: 'webhook.deleted', target: id, before: auditedWebhook(deleted) });
  });
  endWatches(ctx, id, 'deleted');
}
