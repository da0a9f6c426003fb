import type { Metadata, UpdateMessage } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { recordUpdated } from '../events/record-events.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { changeLabels } from './label-message.ts';
import { type LockedMessage, lockMessage } from './lock-message.ts';
import { type MessageDetails, readMessage } from './message-details.ts';

/**
 * Changes labels, read mark and metadata of a message, all together or nothing, with one event if anything changed. Requests that wait for
 * messages are woken, since they may wait for this one.
 *
 * @throws ApiError `not_found` for a message, or the id of a label, that is not the caller's, `limit_reached`.
 */
export async function updateMessage(ctx: Context, id: string, input: UpdateMessage): Promise<MessageDetails> {
  if (!isId('msg', id)) throw notFound('id');
  await inTransaction(ctx, async (tx) => {
    const message = await lockMessage(tx, id, 'id');
    const changed = [
      ...((await changeLabels(tx, message, input)) ? ['labels'] : []),
      ...((await changeRead(tx, message, input)) ? ['read'] : []),
      ...((await changeMetadata(tx, message, input)) ? ['metadata'] : []),
    ];
    if (changed.length > 0) await recordUpdated(tx, message, changed);
  });
  ctx.wakeups.wake(ctx.workspaceId);
  return readMessage(ctx, id);
}

async function changeMetadata(
  tx: Context,
  { id }: LockedMessage,
  { metadata }: UpdateMessage,
): Promise<boolean> {
  if (metadata === undefined) return false;
  const changed = await scoped(tx)
    .updateTable('messages')
    .set({ metadata })
    .where('id', '=', id)
    .where('metadata', '!=', sql<Metadata>`${JSON.stringify(metadata)}::jsonb`)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

async function changeRead(tx: Context, message: LockedMessage, { read }: UpdateMessage): Promise<boolean> {
  if (read === undefined || read === message.is_read) return false;
  await scoped(tx).updateTable('messages').set({ is_read: read }).where('id', '=', message.id).execute();
  await scoped(tx)
    .updateTable('threads')
    .set({ unread_count: sql`unread_count + ${read ? -1 : 1}::int` })
    .where('id', '=', message.thread_id)
    .execute();
  return true;
}
