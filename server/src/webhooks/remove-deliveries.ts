import { limits } from '@postrider/contract';
import { deleteInBatches } from '../db/batched.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { firstIdAt } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';

/** Removes deliveries of events that are no longer kept. The id of a delivery has the time of its event, or a later one. */
export async function removeDeliveries(deps: Deps): Promise<void> {
  const oldest = firstIdAt('dlv', deps.timeScale.before(deps.clock.now(), limits.eventsKeptMs));
  const webhooks = await acrossWorkspaces(deps, 'windows end in all workspaces')
    .selectFrom('webhooks')
    .select(['workspace_id', 'id'])
    .execute();
  for (const { workspace_id, id } of webhooks) {
    const rows = scoped({ db: deps.db, workspaceId: workspace_id, scope: wholeWorkspace });
    const expired = rows
      .selectFrom('webhook_deliveries')
      .where('webhook_id', '=', id)
      .where('id', '<', oldest);
    await deleteInBatches(expired, rows.deleteFrom('webhook_deliveries'));
  }
}
