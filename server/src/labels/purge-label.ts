import { deleteInBatches } from '../db/delete-in-batches.ts';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { jobNames } from '../jobs/job-names.ts';
import type { JobDefinition } from '../jobs/queue.ts';
import { wholeWorkspace } from '../lib/scope.ts';

/** The label to remove from its messages. */
export interface PurgeLabel {
  workspaceId: string;
  labelId: string;
}

/** Takes a deleted label off its messages and threads. Running it twice does no harm. */
export function purgeLabel(deps: Deps): JobDefinition<PurgeLabel> {
  return {
    name: jobNames.purgeLabel,
    run: async ({ workspaceId, labelId }) => {
      const rows = scoped({ db: deps.db, workspaceId, scope: wholeWorkspace });
      const label = await rows.selectFrom('labels').select('id').where('id', '=', labelId).executeTakeFirst();
      if (label) return;
      const ofLabel = rows.selectFrom('message_labels').where('label_id', '=', labelId);
      await deleteInBatches(ofLabel, rows.deleteFrom('message_labels'));
      const threadsOfLabel = rows.selectFrom('thread_labels').where('label_id', '=', labelId);
      await deleteInBatches(threadsOfLabel, rows.deleteFrom('thread_labels'));
    },
  };
}
