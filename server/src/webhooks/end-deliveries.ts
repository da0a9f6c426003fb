import { limits } from '@postrider/contract';
import { sql } from 'kysely';
import { deleteInBatches, untilDone } from '../db/delete-in-batches.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { jobNames } from '../jobs/job-names.ts';
import type { JobDefinition } from '../jobs/queue.ts';
import { firstIdAt } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';

const batchRows = 1_000;

/**
 * Cancels the pending deliveries of a webhook, in batches, so that no lock is held for long, and while the webhook is stopped. A manual
 * delivery that is being posted stays.
 */
export async function cancelDeliveries(ctx: Pick<Deps, 'db'>, webhookId: string): Promise<void> {
  await untilDone(async () => (await cancelBatch(ctx, webhookId)) > 0n);
}

async function cancelBatch(ctx: Pick<Deps, 'db'>, webhookId: string): Promise<bigint> {
  const { numAffectedRows = 0n } = await sql`
    update webhook_deliveries d set due_at = null, next_at = null, status = 'failed'
      from (select workspace_id, id from webhook_deliveries
        where webhook_id = ${webhookId} and due_at is not null and (origin = 'log' or due_at <= next_at)
          and not exists (select from webhooks w where w.id = ${webhookId} and w.enabled)
        order by is_retry, due_at limit ${batchRows} for update) p
      where d.workspace_id = p.workspace_id and d.id = p.id`.execute(
    acrossWorkspaces(ctx, 'the id of a webhook is unique'),
  );
  return numAffectedRows;
}

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

/** The webhook whose deliveries are removed. */
interface PurgeWebhook {
  workspaceId: string;
  webhookId: string;
}

/** Removes the deliveries of a deleted webhook. Running it twice does no harm. */
export function purgeWebhook(deps: Deps): JobDefinition<PurgeWebhook> {
  return {
    name: jobNames.purgeWebhook,
    run: async ({ workspaceId, webhookId }) => {
      const rows = scoped({ db: deps.db, workspaceId, scope: wholeWorkspace });
      const webhook = await rows
        .selectFrom('webhooks')
        .select('id')
        .where('id', '=', webhookId)
        .executeTakeFirst();
      if (webhook) return;
      const ofWebhook = rows.selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId);
      await deleteInBatches(ofWebhook, rows.deleteFrom('webhook_deliveries'));
    },
  };
}
