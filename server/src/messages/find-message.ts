import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { lock, lockShared } from '../db/locks.ts';
import { prepared } from '../db/prepared.ts';
import { type OwnRows, ownRows, type RowsContext, scoped } from '../db/scoped.ts';
import type { Db, Tables } from '../db/tables.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { largeColumns, smallColumns } from './message.entity.ts';
import type { MessageRow } from './store/message-record.ts';

type ReadContext = RowsContext;

/** A query of messages that selects nothing yet. */
export type Messages = SelectQueryBuilder<Tables, 'messages', object>;

/** Returns a query of the caller's messages, without those of deleted inboxes and threads whose rows are still being removed. */
export function liveMessages(ctx: ReadContext): Messages {
  return scoped(ctx)
    .selectFrom('messages')
    .where('messages.thread_id', 'not in', deletedThreads(ctx))
    .where('messages.inbox_id', 'not in', (of) =>
      of
        .selectFrom('inboxes')
        .select('inboxes.id')
        .where('inboxes.workspace_id', '=', ctx.workspaceId)
        .where('inboxes.deleted_at', 'is not', null),
    );
}

/** Returns a query of the deleted threads whose messages are still being removed. They are hidden from everybody. */
export function deletedThreads(ctx: ReadContext) {
  return scoped(ctx).selectFrom('deleted_threads').select('thread_id');
}

/** Returns a query of the caller's messages with all their own columns, to which more columns may be added. */
export function wholeMessages(ctx: ReadContext) {
  return scoped(ctx)
    .selectFrom('messages')
    .innerJoin('inboxes', (on) =>
      on
        .onRef('inboxes.workspace_id', '=', 'messages.workspace_id')
        .onRef('inboxes.id', '=', 'messages.inbox_id'),
    )
    .select(smallColumns)
    .select(largeColumns)
    .where('messages.thread_id', 'not in', deletedThreads(ctx))
    .where('inboxes.deleted_at', 'is', null);
}

const selectMessage = prepared((db, { workspaceId, inboxIds, id }: OwnRows & { id: string }) =>
  wholeMessages({ db, workspaceId, scope: { inboxIds } }).where('messages.id', '=', id).compile(),
);

/**
 * Returns the caller's message with this id, which is the parameter `param` of the request.
 *
 * @throws ApiError `not_found` for an id that is malformed, unknown, of a deleted inbox or another workspace's.
 */
export async function getMessage(
  ctx: ReadContext,
  id: string,
  param: string | null = 'id',
): Promise<MessageRow> {
  if (!isId('msg', id)) throw notFound(param);
  const [row] = await selectMessage(ctx, { ...ownRows(ctx), id });
  if (!row) throw notFound(param);
  return row as MessageRow;
}

/**
 * Checks that a label is the caller's.
 *
 * @throws ApiError `not_found`.
 */
export async function requireLabel(ctx: ReadContext, id: string, param = 'label_id'): Promise<void> {
  if (!isId('lbl', id)) throw notFound(param);
  const known = await scoped(ctx).selectFrom('labels').select('id').where('id', '=', id).executeTakeFirst();
  if (!known) throw notFound(param);
}

/** A thread as a row. */
export type ThreadRow = Selectable<Tables['threads']>;

/**
 * Returns the caller's thread with this id. The id of a thread that was merged into another returns that other thread.
 *
 * @throws ApiError `not_found`, also for a thread of a deleted inbox.
 */
export async function getThread(ctx: RowsContext, id: string, param = 'id'): Promise<ThreadRow> {
  if (!isId('thr', id)) throw notFound(param);
  const row = await scoped(ctx)
    .selectFrom('threads')
    .innerJoin('inboxes', (on) =>
      on
        .onRef('inboxes.workspace_id', '=', 'threads.workspace_id')
        .onRef('inboxes.id', '=', 'threads.inbox_id'),
    )
    .selectAll('threads')
    .where('inboxes.deleted_at', 'is', null)
    .where((is) =>
      is('threads.id', '=', (of) =>
        of.fn.coalesce(
          scoped(ctx).selectFrom('thread_aliases').select('thread_id').where('id', '=', id),
          of.val(id),
        ),
      ),
    )
    .executeTakeFirst();
  if (!row) throw notFound(param);
  return row;
}

/** The columns of a locked message. */
export type LockedMessage = Pick<MessageRow, 'id' | 'inbox_id' | 'thread_id' | 'is_read'>;

/**
 * Locks a message and its thread until the transaction ends. Requests then change it one after another, and neither the removal of its
 * inbox nor a merge of its thread removes it meanwhile. Everything that locks any of these does so in this order: the inbox, the labels of
 * the message, its thread, the message. The lock on the message still lets its labels refer to it.
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
