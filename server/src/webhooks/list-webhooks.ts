import type { ListWebhooks } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { decodeCursor } from '../lib/cursor.ts';
import { type Page, pageOf } from '../lib/page.ts';
import type { WebhookRow } from './find-webhook.ts';

/** Returns a page of the caller's webhooks, newest first. */
export async function listWebhooks(ctx: Context, query: ListWebhooks): Promise<Page<WebhookRow>> {
  let rows = scoped(ctx)
    .selectFrom('webhooks')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.cursor) rows = rows.where('id', '<', decodeCursor(query.cursor, 1)[0] ?? '');
  return pageOf(await rows.execute(), query.limit, (row) => [row.id]);
}
