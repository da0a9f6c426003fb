import type { Selectable } from 'kysely';
import { type RowsContext, scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import type { EventRow } from '../events/read-log.ts';
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

/** A delivery whose lease this process holds. */
export interface ClaimedDelivery
  extends Pick<
    DeliveryRow,
    'workspace_id' | 'id' | 'webhook_id' | 'event_id' | 'origin' | 'is_retry' | 'fence' | 'created_at'
  > {
  /** The number of attempts so far. */
  attempted: number;
  /** Null if the event is no longer kept, and for a sample, which is not in the log. */
  event: EventRow | null;
}

/** The lanes of a webhook: first attempts and retries do not wait for each other. */
export type Lane = 'fresh' | 'retry';

/** Returns the lane of a delivery. */
export function deliveryLane({ is_retry }: Pick<ClaimedDelivery, 'is_retry'>): Lane {
  return is_retry ? 'retry' : 'fresh';
}

/** A claimed delivery as the database functions return it, with times as texts. */
export type ClaimedJson = Omit<ClaimedDelivery, 'created_at' | 'event'> & {
  created_at: string;
  event: (Omit<EventRow, 'created_at'> & { created_at: string }) | null;
};

/** Converts the rows of the database functions. */
export function readClaimed({ created_at, event, ...row }: ClaimedJson): ClaimedDelivery {
  return {
    ...row,
    created_at: new Date(created_at),
    event: event && { ...event, created_at: new Date(event.created_at) },
  };
}
