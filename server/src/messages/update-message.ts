import type { UpdateMessage } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { changeLabels } from './label-message.ts';
import { lockMessage } from './lock-message.ts';
import { type MessageDetails, readMessage } from './message-details.ts';

/**
 * Changes labels, read mark and metadata of a message, all together or nothing. Requests that wait for messages are woken, since they may
 * wait for this one.
 *
 * @throws ApiError `not_found` for a message, or the id of a label, that is not the caller's, `limit_reached`.
 */
export async function updateMessage(ctx: Context, id: string, input: UpdateMessage): Promise<MessageDetails> {
  if (!isId('msg', id)) throw notFound('id');
  await inTransaction(ctx, async (tx) => {
    const { inbox_id } = await lockMessage(tx, id, 'id');
    await changeMarks(tx, id, input);
    await changeLabels(tx, { id, inbox_id }, input);
  });
  ctx.wakeups.wake(ctx.workspaceId);
  return readMessage(ctx, id);
}

async function changeMarks(tx: Context, id: string, { read, metadata }: UpdateMessage): Promise<void> {
  if (metadata !== undefined)
    await scoped(tx).updateTable('messages').set({ metadata }).where('id', '=', id).execute();
  if (read === undefined) return;
  const changed = await scoped(tx)
    .updateTable('messages')
    .set({ is_read: read })
    .where('id', '=', id)
    .where('is_read', '!=', read)
    .returning('thread_id')
    .executeTakeFirst();
  if (!changed) return;
  await scoped(tx)
    .updateTable('threads')
    .set({ unread_count: sql`unread_count + ${read ? -1 : 1}::int` })
    .where('id', '=', changed.thread_id)
    .execute();
}
