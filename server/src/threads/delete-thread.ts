import type { Context } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { untilDone } from '../db/delete-in-batches.ts';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { recordDeleted } from '../events/write-log.ts';
import { type RemoveContext, removeMessages } from '../inboxes/remove-messages.ts';
import { jobNames } from '../jobs/job-names.ts';
import type { JobDefinition } from '../jobs/queue.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { forgetIds, giveBackFiles, removeThread } from '../messages/delete-message.ts';
import { getThread, isLive, shareInbox, type ThreadRow } from '../messages/find-message.ts';

/**
 * Deletes a thread. All its messages are hidden at once, however many there are, and recipients that still wait to be handed over are
 * cancelled. The messages of a long thread are removed by a job that commits with it. Mail that replies to them begins a
 * new thread.
 *
 * @throws ApiError `not_found`.
 */
export async function deleteThread(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const thread = await lockThread(tx, id);
    await tx.db
      .insertInto('deleted_threads')
      .values({ workspace_id: tx.workspaceId, thread_id: thread.id })
      .execute();
    await removeThread(tx, thread.id);
    if (await removeSome(tx, thread.id)) await removeRestLater(tx, thread);
    else await scoped(tx).deleteFrom('deleted_threads').where('thread_id', '=', thread.id).execute();
  });
  ctx.wakeups.wake(ctx.workspaceId);
}

/**
 * Cancels the recipients of a long thread that are waiting for delivery, and leaves its messages, which are hidden until then, to a job.
 */
async function removeRestLater(tx: Context, thread: ThreadRow): Promise<void> {
  await scoped(tx)
    .updateTable('message_recipients')
    .set({ due_at: null })
    .where('inbox_id', '=', thread.inbox_id)
    .where('due_at', 'is not', null)
    .where(
      'message_id',
      'in',
      scoped(tx).selectFrom('messages').select('id').where('thread_id', '=', thread.id),
    )
    .execute();
  await tx.queue.enqueue(tx, jobNames.purgeThread, {
    workspaceId: tx.workspaceId,
    threadId: thread.id,
    inboxId: thread.inbox_id,
  });
}

/** Locks a thread. It is read again if another thread absorbed it while the lock was waited for. */
async function lockThread(tx: Context, id: string): Promise<ThreadRow> {
  for (;;) {
    const thread = await getThread(tx, id);
    await shareInbox(tx, thread.inbox_id);
    const locked = await scoped(tx)
      .selectFrom('threads')
      .select('id')
      .where('id', '=', thread.id)
      .forUpdate()
      .executeTakeFirst();
    if (locked) return thread;
  }
}

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

/** Removes one batch in its own transaction. Returns whether there may be more. */
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
