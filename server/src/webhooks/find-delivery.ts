import type { Selectable } from 'kysely';
import { type RowsContext, scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';

/** A delivery as a row. */
export type DeliveryRow = Selectable<Tables['webhook_deliveries']>;

/**
 * Returns the caller's delivery with this id.
 *
 * @throws ApiError `not_found`.
 */
export async function getDelivery(ctx: RowsContext, id: string): Promise<DeliveryRow> {
  const row = isId('dlv', id)
    ? await scoped(ctx).selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirst()
    : undefined;
  if (!row) throw notFound('id');
  return row;
}
