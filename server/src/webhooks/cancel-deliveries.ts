import { sql } from 'kysely';
import { untilDone } from '../db/batched.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';

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
