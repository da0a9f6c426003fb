import { newId } from '../../../server/src/lib/ids.ts';
import type { ClaimedDelivery } from '../../../server/src/webhooks/delivery.ts';

/** Creates a claimed delivery that is in no database. */
export function makeDelivery(origin: ClaimedDelivery['origin'], workspaceId = newId('wsp')): ClaimedDelivery {
  return {
    workspace_id: workspaceId,
    id: newId('dlv'),
    webhook_id: newId('whk'),
    event_id: newId('evt'),
    origin,
    is_retry: false,
    fence: 1,
    created_at: new Date(),
    attempted: 0,
    event: null,
  };
}
