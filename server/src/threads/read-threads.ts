import { type AppliedLabel, type ListThreads, limits } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { getInbox } from '../inboxes/find-inbox.ts';
import { decodeTimeCursor } from '../lib/cursor.ts';
import { type Page, pageOf } from '../lib/page.ts';
import { liveMessages, requireLabel, selectListed } from '../messages/find-message.ts';
import { getThread, type ThreadRow } from '../messages/find-thread.ts';
import { loadDetails, type MessageDetails } from '../messages/message-details.ts';
import { labelsOfThreads } from './thread-labels.ts';

/** A thread with its labels. */
export interface LabelledThread {
  row: ThreadRow;
  labels: AppliedLabel[];
}

/**
 * A page of the caller's threads, last activity first.
 *
 * @throws ApiError `not_found` when a filter names an inbox or label that is not the caller's.
 */
export const listThreads = async (ctx: Context, query: ListThreads): Promise<Page<LabelledThread>> => {
  if (query.inbox_id !== undefined) await getInbox(ctx, query.inbox_id);
  if (query.label_id !== undefined) await requireLabel(ctx, query.label_id);
  let threads = scoped(ctx)
    .selectFrom('threads')
    .selectAll()
    .where(
      'inbox_id',
      'not in',
      scoped(ctx).selectFrom('inboxes').select('id').where('deleted_at', 'is not', null),
    );
  if (query.inbox_id !== undefined) threads = threads.where('inbox_id', '=', query.inbox_id);
  if (query.label_id !== undefined)
    threads = threads.where('id', 'in', threadsWithLabel(ctx, query.label_id));
  if (query.cursor) threads = threads.where(olderThan(query.cursor));
  const rows = await threads
    .orderBy('last_message_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute();
  const page = pageOf(rows, query.limit, (row) => [row.last_message_at.toISOString(), row.id]);
  const labels = await labelsOfThreads(
    ctx,
    page.rows.map((row) => row.id),
  );
  return { ...page, rows: page.rows.map((row) => ({ row, labels: labels.get(row.id) ?? [] })) };
};

const threadsWithLabel = (ctx: Context, labelId: string) =>
  scoped(ctx)
    .selectFrom('message_labels')
    .innerJoin('messages', (on) =>
      on
        .onRef('messages.workspace_id', '=', 'message_labels.workspace_id')
        .onRef('messages.id', '=', 'message_id'),
    )
    .select('messages.thread_id')
    .where('label_id', '=', labelId);

const olderThan = (cursor: string) => {
  const { at, key } = decodeTimeCursor(cursor);
  return sql<boolean>`(last_message_at, id) < (${at}, ${key})`;
};

/** A thread with its newest messages, oldest first, and whether older ones were left out. */
export interface ReadThread extends LabelledThread {
  messages: MessageDetails[];
  truncated: boolean;
}

/**
 * The caller's thread with its messages.
 *
 * @throws ApiError `not_found`.
 */
export const readThread = async (ctx: Context, id: string): Promise<ReadThread> => {
  const row = await getThread(ctx, id);
  const newest = await selectListed(
    liveMessages(ctx)
      .where('messages.thread_id', '=', row.id)
      .orderBy('messages.id', 'desc')
      .limit(limits.threadMessagesMax + 1),
  );
  const shown = newest.slice(0, limits.threadMessagesMax).reverse();
  const [labels, messages] = await Promise.all([labelsOfThreads(ctx, [row.id]), loadDetails(ctx, shown)]);
  return { row, labels: labels.get(row.id) ?? [], messages, truncated: newest.length > shown.length };
};
