import { sql } from 'kysely';
import { lock, lockShared } from '../db/locks.ts';
import { type RowsContext, scoped } from '../db/scoped.ts';
import type { Db } from '../db/tables.ts';
import { notFound } from '../lib/api-error.ts';
import { liveMessages } from './find-message.ts';
import type { MessageRow } from './store/message-record.ts';

/** The columns of a locked message. */
export type LockedMessage = Pick<MessageRow, 'id' | 'inbox_id' | 'thread_id' | 'is_read'>;

/**
 * Locks a message and its thread until the transaction ends, so that requests change it one after another, and neither the removal of its
 * inbox nor a merge of its thread takes it away meanwhile. Everything that locks any of these does so in this order: the inbox, the labels
 * of the message, its thread, the message. The lock on the message still lets its labels refer to it.
 *
 * @throws ApiError `not_found` with the parameter that has the id.
 */
export async function lockMessage(tx: RowsContext, id: string, param: string): Promise<LockedMessage> {
  const found = await liveMessages(tx).select('inbox_id').where('messages.id', '=', id).executeTakeFirst();
  if (!found) throw notFound(param);
  await shareInbox(tx, found.inbox_id);
  await lock(tx, 'message', id);
  await sql`select lock_thread_of(${tx.workspaceId}, ${id})`.execute(tx.db);
  const locked = await liveMessages(tx)
    .select(['messages.id', 'inbox_id', 'messages.thread_id', 'is_read'])
    .where('messages.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!locked) throw notFound(param);
  return locked;
}

/** Keeps an inbox from being deleted until the transaction ends. Storing mail takes the same lock. */
export async function shareInbox(tx: { db: Db }, inboxId: string): Promise<void> {
  await lockShared(tx, 'inbox', inboxId);
}

/** Returns whether an inbox exists and is not deleted. */
export async function isLive(ctx: RowsContext, inboxId: string): Promise<boolean> {
  const inbox = await scoped(ctx)
    .selectFrom('inboxes')
    .select('id')
    .where('id', '=', inboxId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return inbox !== undefined;
}
