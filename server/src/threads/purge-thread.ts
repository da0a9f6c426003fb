import { untilDone } from '../db/batched.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { recordDeleted } from '../events/record-events.ts';
import { type RemoveContext, removeMessages } from '../inboxes/remove-messages.ts';
import { jobNames } from '../jobs/job-names.ts';
import type { JobDefinition } from '../jobs/queue.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { forgetIds, giveBackFiles } from '../messages/give-back-files.ts';
import { isLive, shareInbox } from '../messages/lock-message.ts';

/** The thread whose messages are removed. */
export interface PurgeThread {
  workspaceId: string;
  threadId: string;
  inboxId: string;
}

/** Rows are removed in batches, so that no lock is held for long. A request that deletes a thread removes one batch. */
export const batchRows = 200;

/** Removes the messages of a deleted thread with their files. Running it twice does no harm. */
export function purgeThread(deps: Deps): JobDefinition<PurgeThread> {
  return {
    name: jobNames.purgeThread,
    run: async (thread) => {
      await untilDone(() => purgeBatch(deps, thread));
      deps.wakeups.wake(thread.workspaceId);
      await scoped({ db: deps.db, workspaceId: thread.workspaceId })
        .deleteFrom('deleted_threads')
        .where('thread_id', '=', thread.threadId)
        .execute();
    },
  };
}

/** Removes one batch in a transaction of its own. Returns whether there may be more. */
function purgeBatch(deps: Deps, { workspaceId, threadId, inboxId }: PurgeThread): Promise<boolean> {
  return inTransaction({ ...deps, workspaceId, scope: wholeWorkspace }, async (tx) => {
    await shareInbox(tx, inboxId);
    // A deleted inbox has already given back all its files, and its own job removes its messages.
    if (!(await isLive(tx, inboxId))) return false;
    return removeSome(tx, threadId);
  });
}

/** Removes one batch of a thread's messages, with an event each, and enqueues a job for their files. Returns whether there may be more. */
export async function removeSome(
  tx: RemoveContext & Pick<Deps, 'queue' | 'wakeups'>,
  threadId: string,
): Promise<boolean> {
  const batch = await scoped(tx)
    .selectFrom('messages')
    .select(['id', 'inbox_id', 'thread_id'])
    .where('thread_id', '=', threadId)
    .limit(batchRows)
    .forUpdate()
    .execute();
  if (batch.length === 0) return false;
  const ids = batch.map(({ id }) => id);
  const keys = await giveBackFiles(tx, batch);
  await forgetIds(tx, ids);
  await removeMessages(tx, ids);
  await recordDeleted(
    tx,
    batch.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  );
  await tx.queue.enqueue(tx, jobNames.removeFiles, { keys });
  return batch.length === batchRows;
}
