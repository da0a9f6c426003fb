import type { Webhook, WebhookWithSecret } from '@postrider/contract';
import type { Selectable } from 'kysely';
import { type RowsContext, scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';

/** A webhook as the API shows it. */
export function viewWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    inbox_ids: row.inbox_ids,
    enabled: row.enabled,
    created_at: row.created_at.toISOString(),
  };
}

/** Returns the fields of a webhook that the audit log shows. */
export function auditedWebhook({ url, events, inbox_ids, enabled }: WebhookRow) {
  return { url: auditedUrl(url), events, inbox_ids, enabled };
}

/** Returns the URL of a webhook as the audit log shows it: without the values of its query, which may be secrets. */
export function auditedUrl(url: string): string {
  return url.replace(/\?.*$/s, (query) => query.replace(/(^\?|&)([^&=]*=)?[^&]*/g, '$1$2…'));
}

/** A webhook with its secret, for the responses that show it. */
export function viewWithSecret({ row, secret }: { row: WebhookRow; secret: string }): WebhookWithSecret {
  return {
    ...viewWebhook(row),
    secret,
  };
}

/** A webhook as a row. */
export type WebhookRow = Selectable<Tables['webhooks']>;

/**
 * Returns the caller's webhook with this id.
 *
 * @throws ApiError `not_found`.
 */
export async function getWebhook(ctx: RowsContext, id: string): Promise<WebhookRow> {
  const row = isId('whk', id)
    ? await scoped(ctx).selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
    : undefined;
  if (!row) throw notFound('id');
  return row;
}
