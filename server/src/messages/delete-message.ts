import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { type RowsContext, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { recordDeleted } from '../events/write-log.ts';
import { type RemoveContext, removeMessages } from '../inboxes/remove-messages.ts';
import { jobNames } from '../jobs/job-names.ts';
import type { JobDefinition } from '../jobs/queue.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { type LockedMessage, lockMessage } from './find-message.ts';
import { attachmentKey, rawKey } from './originals.ts';

/**
 * Deletes a message, and its thread if it was the last one there. Recipients to whom the message was not handed over yet no longer get it,
 * without a separate event. Its rows are removed at once, which frees their share of the plan; a job that commits with it removes its
 * files.
 *
 * @throws ApiError `not_found`.
 */
export async function deleteMessage(ctx: Context, id: string): Promise<void> {
  if (!isId('msg', id)) throw notFound('id');
  await inTransaction(ctx, async (tx) => {
    const message = await lockMessage(tx, id, 'id');
    const keys = await giveBackFiles(tx, [message]);
    // Removed before the message, through which the labels of the thread are found.
    await scoped(tx).deleteFrom('message_labels').where('message_id', '=', id).execute();
    await forgetIds(tx, [id]);
    await removeMessages(tx, [id]);
    await leaveThread(tx, message);
    await recordDeleted(tx, [message]);
    await tx.queue.enqueue(tx, jobNames.removeFiles, { keys });
  });
  ctx.wakeups.wake(ctx.workspaceId);
}

/** Takes a message out of its thread: the last remaining message becomes the newest, and an empty thread is removed. */
async function leaveThread(tx: Context, { thread_id: id, is_read }: LockedMessage): Promise<void> {
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
}

/** Removes a thread with its labels, aliases and awaited ids. */
export async function removeThread(tx: RowsContext, id: string): Promise<void> {
  const rows = scoped(tx);
  for (const table of ['awaited_ids', 'thread_labels', 'thread_aliases'] as const)
    await rows.deleteFrom(table).where('thread_id', '=', id).execute();
  await rows.deleteFrom('threads').where('id', '=', id).execute();
}

/** Subtracts the files of messages that are about to be removed from the usage. Returns the keys of the messages' files. */
export async function giveBackFiles(
  tx: RemoveContext,
  messages: { id: string; inbox_id: string }[],
): Promise<string[]> {
  const files = await scoped(tx)
    .selectFrom('attachments')
    .select(['workspace_id', 'inbox_id', 'id', 'size_bytes'])
    .where(
      'message_id',
      'in',
      messages.map(({ id }) => id),
    )
    .execute();
  const bytes = files.reduce((sum, file) => sum + file.size_bytes, 0);
  if (bytes > 0)
    await sql`insert into usage_ledger (workspace_id, kind, amount, at)
      values (${tx.workspaceId}, 'storage_bytes', ${-bytes}, ${tx.clock.now()})`.execute(tx.db);
  const originals = messages.map((message) => rawKey({ ...message, workspace_id: tx.workspaceId }));
  return [...originals, ...files.map(attachmentKey)];
}

/** Removes the ids by which other mail finds these messages. Mail that names one of them later finds nothing. */
export async function forgetIds(tx: RemoveContext, ids: string[]): Promise<void> {
  await sql`delete from message_ids i using messages m
    where m.workspace_id = ${tx.workspaceId} and m.id = any(${ids}) and i.workspace_id = m.workspace_id
    and i.inbox_id = m.inbox_id and i.hash = sha256(convert_to(m.message_id_header, 'utf8')) and i.message_id = m.id`.execute(
    tx.db,
  );
}

/** The keys of files that nothing refers to any more. */
export interface RemoveFiles {
  keys: string[];
}

/** Removes files of deleted messages. Missing files are ignored. */
export function removeFiles(deps: Pick<Deps, 'files'>): JobDefinition<RemoveFiles> {
  return {
    name: jobNames.removeFiles,
    run: ({ keys }) => deps.files.delete(keys),
  };
}
