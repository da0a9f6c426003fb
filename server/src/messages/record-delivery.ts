import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import type { DeliveryChange } from './delivery-outcome.ts';

/** Which recipient of which message. */
export interface RecipientKey {
  workspaceId: string;
  messageId: string;
  address: string;
}

/**
 * Writes what became of a recipient, with the status of its message, the suppression and the events that follow: one
 * transaction by the database function `record_delivery`. False, with nothing written, when the present status does not
 * allow the change, or when another process has the recipient by now (`attempts` is then another).
 */
export const recordDelivery = async (
  deps: Pick<Deps, 'db' | 'wakeups'>,
  key: RecipientKey,
  change: DeliveryChange,
  at: Date,
  attempts: number | null,
): Promise<boolean> => {
  const payload = JSON.stringify({
    workspace_id: key.workspaceId,
    message_id: key.messageId,
    address: key.address,
    status: change.status,
    from_statuses: change.fromStatuses,
    detail: change.detail,
    due_at: change.dueAt,
    provider_message_id: change.providerMessageId,
    at,
    attempts,
    ...(change.suppression && { suppression: change.suppression }),
    events: change.events,
  });
  const { rows } = await sql<{
    changed: boolean;
  }>`select record_delivery(${payload}::jsonb) as changed`.execute(deps.db);
  deps.wakeups.wake(key.workspaceId);
  return rows[0]?.changed ?? false;
};
