import type { Delivery } from '@postrider/contract';
import type { DeliveryRow } from './find-delivery.ts';

/** A delivery as the API shows it. */
export function viewDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    event: row.event,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.next_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
