import type { UpdateWebhook } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { cancelDeliveries } from './cancel-deliveries.ts';
import { checkUrl, requireInboxes } from './create-webhook.ts';
import { getWebhook, type WebhookRow } from './find-webhook.ts';
import { endWatches } from './posting/watch-webhook-state.ts';

/**
 * Changes the given fields of a webhook. A webhook that is stopped gets no further events, and its pending deliveries are cancelled. One
 * that is started again counts as not failing.
 *
 * @throws ApiError `not_found`, also for an inbox; `invalid_request` for a URL that may not be posted to.
 */
export async function updateWebhook(ctx: Context, id: string, input: UpdateWebhook): Promise<WebhookRow> {
  const { url, events, inbox_ids, enabled } = input;
  const before = await getWebhook(ctx, id);
  if (url !== undefined) await checkUrl(ctx, url);
  await requireInboxes(ctx, inbox_ids);
  const changes = {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events }),
    ...(inbox_ids !== undefined && { inbox_ids }),
    ...(enabled !== undefined && { enabled }),
    ...(enabled && { failing_since: null }),
  };
  if (Object.keys(changes).length === 0) return before;
  const row = await scoped(ctx)
    .updateTable('webhooks')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound('id');
  if (enabled === false) {
    endWatches(ctx, id, 'stopped');
    await cancelDeliveries(ctx, id);
  }
  return row;
}
