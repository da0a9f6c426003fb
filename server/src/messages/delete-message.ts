import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { removeMessages } from '../inboxes/remove-messages.ts';
import { jobNames } from '../jobs/job-names.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { forgetIds, giveBackFiles } from './give-back-files.ts';
import { type LockedMessage, lockMessage } from './lock-message.ts';

/**
 * Deletes a message, and its thread with it where it was the last one there. Recipients that it was not handed over to yet get it no
 * more, without an event. Its rows go at once and free what they took of the plan; a job that commits with it removes its files.
 *
 * @throws ApiError `not_found`.
 */
export const deleteMessage = async (ctx: Context, id: string): Promise<void> => {
  if (!isId('msg', id)) throw notFound('id');
  await inTransaction(ctx, async (tx) => {
    const message = await lockMessage(tx, id, 'id');
    const keys = await giveBackFiles(tx, [message]);
    // Before the message goes, by which their thread is found.
    await scoped(tx).deleteFrom('message_labels').where('message_id', '=', id).execute();
    await forgetIds(tx, [id]);
    await removeMessages(tx, [id]);
    await leaveThread(tx, message);
    await tx.queue.enqueue(tx.db, jobNames.removeFiles, { keys });
  });
  ctx.wakeups.wake(ctx.workspaceId);
};

/** The thread without the message: its newest is the last that is left, and without any the thread is gone. */
const leaveThread = async (tx: Context, { thread_id: id, is_read }: LockedMessage): Promise<void> => {
  const newest = await scoped(tx)
    .selectFrom('messages')
    .select('created_at')
    .where('thread_id', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!newest) return removeThread(tx, id);
  await scoped(tx)
    .updateTable('threads')
    .set({
      message_count: sql`message_count - 1`,
      unread_count: sql`unread_count - ${is_read ? 0 : 1}::int`,
      last_message_at: newest.created_at,
    })
    .where('id', '=', id)
    .execute();
};

/** Removes a thread with what is noted of it; the ids that it waited for are nobody's. */
export const removeThread = async (tx: Pick<Context, 'db' | 'workspaceId'>, id: string): Promise<void> => {
  const rows = scoped(tx);
  for (const table of ['awaited_ids', 'thread_labels', 'thread_aliases'] as const)
    await rows.deleteFrom(table).where('thread_id', '=', id).execute();
  await rows.deleteFrom('threads').where('id', '=', id).execute();
};
