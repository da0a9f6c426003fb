import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { jobNames } from '../jobs/job-names.ts';
import { removeThread } from '../messages/delete-message.ts';
import { getThread, type ThreadRow } from '../messages/find-thread.ts';
import { shareInbox } from '../messages/lock-message.ts';
import { removeSome } from './purge-thread.ts';

/**
 * Deletes a thread: all its messages are hidden at once, however many they are, and what still waits to be handed over gets no
 * further, without an event. Those of a long thread are removed by a job that commits with it. Mail that answers them begins a new
 * thread.
 *
 * @throws ApiError `not_found`.
 */
export const deleteThread = async (ctx: Context, id: string): Promise<void> => {
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
};

/** The messages of a long thread are hidden until a job has removed them, and what waits to be handed over is cancelled. */
const removeRestLater = async (tx: Context, thread: ThreadRow): Promise<void> => {
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
  await tx.queue.enqueue(tx.db, jobNames.purgeThread, {
    workspaceId: tx.workspaceId,
    threadId: thread.id,
    inboxId: thread.inbox_id,
  });
};

/** Looks again where another thread took this one over while it was waited for. */
const lockThread = async (tx: Context, id: string): Promise<ThreadRow> => {
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
};
