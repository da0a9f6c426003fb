import { sql } from 'kysely';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';

const batchRows = 1_000;

/** Calls off what is pending for a webhook, in batches, so that no lock is held for long. */
export const callOffDeliveries = async (ctx: Pick<Deps, 'db'>, webhookId: string): Promise<void> => {
  const pending = () =>
    sql`
    update webhook_deliveries d set due_at = null, next_at = null, status = 'failed'
      from (select workspace_id, id from webhook_deliveries where webhook_id = ${webhookId} and due_at is not null
        order by is_retry, due_at limit ${batchRows} for update) p
      where d.workspace_id = p.workspace_id and d.id = p.id`.execute(
      acrossWorkspaces(ctx, 'the id of a webhook is unique'),
    );
  while (((await pending()).numAffectedRows ?? 0n) > 0n);
};
