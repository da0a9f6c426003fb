import { newId } from '../../src/lib/ids.ts';
import type { ClaimedDelivery } from '../../src/webhooks/posting/claimed-delivery.ts';

/** A claimed delivery that is in no database. */
export const makeDelivery = (
  origin: ClaimedDelivery['origin'],
  workspaceId = newId('wsp'),
): ClaimedDelivery => ({
  workspace_id: workspaceId,
  id: newId('dlv'),
  webhook_id: newId('whk'),
  event_id: newId('evt'),
  origin,
  is_retry: false,
  claims: 1,
  created_at: new Date(),
  attempted: 0,
  event: null,
});
