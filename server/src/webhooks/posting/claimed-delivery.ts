import type { EventRow } from '../../events/read-log.ts';
import type { DeliveryRow } from '../find-delivery.ts';

/** A delivery whose lease this process holds. */
export interface ClaimedDelivery
  extends Pick<
    DeliveryRow,
    'workspace_id' | 'id' | 'webhook_id' | 'event_id' | 'origin' | 'is_retry' | 'claims' | 'created_at'
  > {
  /** How many attempts there were. */
  attempted: number;
  /** Null when the event is not kept any more, and for a sample, which is none of the log. */
  event: EventRow | null;
}

/** The lanes of a webhook: neither first attempts nor retries wait for the other. */
export type Lane = 'fresh' | 'retry';

/** The lane that a delivery is in. */
export const laneOf = ({ is_retry }: Pick<ClaimedDelivery, 'is_retry'>): Lane =>
  is_retry ? 'retry' : 'fresh';

/** A claimed delivery as the database functions give it, within which times are texts. */
export type ClaimedJson = Omit<ClaimedDelivery, 'created_at' | 'event'> & {
  created_at: string;
  event: (Omit<EventRow, 'created_at'> & { created_at: string }) | null;
};

/** Reads what the database functions give. */
export const readClaimed = ({ created_at, event, ...row }: ClaimedJson): ClaimedDelivery => ({
  ...row,
  created_at: new Date(created_at),
  event: event && { ...event, created_at: new Date(event.created_at) },
});
