import type { Selectable } from 'kysely';
import { type RowsContext, scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';

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
