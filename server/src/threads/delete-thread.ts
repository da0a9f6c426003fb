import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { jobNames } from '../jobs/job-names.ts';
import { removeThread } from '../messages/delete-message.ts';
import { getThread, type ThreadRow } from '../messages/find-thread.ts';
import { shareInbox } from '../messages/lock-message.ts';
import { removeSome } from './purge-thread.ts';

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

/** Cancels the recipients of a long thread that wait to be handed over, and leaves its messages, hidden until then, to a job. */
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
