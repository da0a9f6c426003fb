import { deleteInBatches } from '../db/batched.ts';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { jobNames } from '../jobs/job-names.ts';
import type { JobDefinition } from '../jobs/queue.ts';
import { wholeWorkspace } from '../lib/scope.ts';

/** The webhook whose deliveries are removed. */
export interface PurgeWebhook {
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
