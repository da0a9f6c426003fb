import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { liveMessages } from './find-message.ts';
import type { MessageRow } from './store/message-record.ts';

/** What is known of a message that is locked. */
export type LockedMessage = Pick<MessageRow, 'id' | 'inbox_id' | 'thread_id' | 'is_read'>;

/**
 * Holds a message and its thread until the transaction ends: what two requests change of it is done in turn, and neither an inbox
 * that is being removed nor a thread that is being merged takes it away meanwhile. The order is that of all that lock any of these:
 * the inbox, the labels of the message, its thread, the message. The message is held in a way that lets its labels refer to it.
 *
 * @throws ApiError `not_found` with the parameter that has the id.
 */
export const lockMessage = async (tx: Context, id: string, param: string): Promise<LockedMessage> => {
  const found = await liveMessages(tx).select('inbox_id').where('messages.id', '=', id).executeTakeFirst();
  if (!found) throw notFound(param);
  await shareInbox(tx, found.inbox_id);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`labels:${id}`}, 0))`.execute(tx.db);
  await sql`select lock_thread_of(${tx.workspaceId}, ${id})`.execute(tx.db);
  const locked = await liveMessages(tx)
    .select(['messages.id', 'inbox_id', 'messages.thread_id', 'is_read'])
    .where('messages.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!locked) throw notFound(param);
  return locked;
};

/** Keeps an inbox from being deleted until the transaction ends, as mail that is stored does. */
export const shareInbox = async (tx: { db: Db }, inboxId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${`inbox:${inboxId}`}, 0))`.execute(tx.db);
};

/** Whether an inbox is there and not deleted. */
export const isLive = async (ctx: Pick<Context, 'db' | 'workspaceId'>, inboxId: string): Promise<boolean> => {
  const inbox = await scoped(ctx)
    .selectFrom('inboxes')
    .select('id')
    .where('id', '=', inboxId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return inbox !== undefined;
};
