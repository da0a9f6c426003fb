import type { ListDeliveries } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { decodeCursor } from '../lib/cursor.ts';
import { type Page, pageOf } from '../lib/page.ts';
import type { DeliveryRow } from './find-delivery.ts';
import { getWebhook } from './find-webhook.ts';

/**
 * Returns a page of the deliveries of the caller's webhook, newest first.
 *
 * @throws ApiError `not_found`.
 */
export async function listDeliveries(
  ctx: Context,
  webhookId: string,
  query: ListDeliveries,
): Promise<Page<DeliveryRow>> {
  await getWebhook(ctx, webhookId);
  let rows = scoped(ctx)
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.cursor) rows = rows.where('id', '<', decodeCursor(query.cursor, 1)[0] ?? '');
  return pageOf(await rows.execute(), query.limit, (row) => [row.id]);
}
