import { deliveryStatusesBestFirst, type ListInboxes, type ListThreads } from '@postrider/contract';
import type { InboxSummary, ThreadSummary } from '@postrider/contract/console';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { anyText, prepared } from '../db/prepared.ts';
import { acrossWorkspaces, type OwnRows, ownRows, scoped } from '../db/scoped.ts';
import { listInboxes, viewInbox } from '../inboxes/list-inboxes.ts';
import type { Page } from '../lib/cursor.ts';
import { listThreads } from './read-threads.ts';
import { viewThread } from './thread.view.ts';

/** The newest messages of a thread that are searched for files, and for the last one that was sent and received. */
const lookedAt = 50;
/** Unread threads are counted up to this number, so that a full inbox costs no more than others. */
const countedMax = 100;
/**
 * Returns a page of the caller's threads, last activity first, each with its newest message and the facts to notice.
 *
 * @throws ApiError as `listThreads`.
 */
export async function summariseThreads(ctx: Context, query: ListThreads): Promise<Page<ThreadSummary>> {
  const { rows, nextCursor } = await listThreads(ctx, query);
  const notes = await readThreadNotes(
    ctx,
    rows.map(({ row }) => row.id),
  );
  const summaries = rows.flatMap(({ row, labels }) => {
    const note = notes.get(row.id);
    // Its last message was deleted in between.
    if (note === undefined) return [];
    const { has_attachments, sent_status, thread_id: _, writer_addr, writer_name, ...last_message } = note;
    const last_writer = writer_addr === null ? null : { address: writer_addr, name: writer_name };
    const { unread_count } = row;
    return [
      { ...viewThread(row, labels), unread_count, last_message, last_writer, has_attachments, sent_status },
    ];
  });
  return { rows: summaries, nextCursor };
}

const selectNotes = prepared((db, { workspaceId, inboxIds, ids }: OwnRows & { ids: string[] }) => {
  const ctx = { db, workspaceId, scope: { inboxIds } };
  const newest = scoped(ctx)
    .selectFrom('messages')
    .select(['id', 'direction', 'has_attachments'])
    .where('thread_id', '=', sql.ref<string>('threads.id'))
    .orderBy('id', 'desc')
    .limit(lookedAt);
  const seen = acrossWorkspaces(ctx, 'its messages are those of the workspace')
    .selectFrom(newest.as('newest'))
    .select([
      sql<string>`max(id)`.as('last_id'),
      sql<string | null>`max(id) filter (where direction = 'outbound')`.as('sent_id'),
      sql<string | null>`max(id) filter (where direction = 'inbound')`.as('received_id'),
      sql<boolean>`bool_or(has_attachments)`.as('has_attachments'),
    ]);
  const sentStatus = scoped(ctx)
    .selectFrom('message_recipients')
    .select('status')
    .where('message_id', '=', sql.ref<string>('seen.sent_id'))
    .orderBy(sql`array_position(${deliveryStatusesBestFirst}::text[], status)`, (order) =>
      order.desc().nullsLast(),
    )
    .limit(1);
  return scoped(ctx)
    .selectFrom('threads')
    .innerJoinLateral(seen.as('seen'), (on) => on.onTrue())
    .innerJoin('messages', (on) =>
      on
        .onRef('messages.workspace_id', '=', 'threads.workspace_id')
        .onRef('messages.id', '=', 'seen.last_id'),
    )
    .leftJoin('messages as received', (on) =>
      on
        .onRef('received.workspace_id', '=', 'threads.workspace_id')
        .onRef('received.id', '=', 'seen.received_id'),
    )
    .select([
      'threads.id as thread_id',
      'messages.id',
      'messages.direction',
      'messages.from_addr',
      'messages.from_name',
      'messages.snippet',
      'received.from_addr as writer_addr',
      'received.from_name as writer_name',
      'seen.has_attachments',
    ])
    .select(sentStatus.as('sent_status'))
    .where('threads.id', '=', anyText(ids))
    .compile();
});

async function readThreadNotes(ctx: Context, threadIds: string[]) {
  if (threadIds.length === 0) return new Map();
  const rows = await selectNotes(ctx, { ...ownRows(ctx), ids: threadIds });
  return new Map(rows.map((row) => [row.thread_id, row]));
}

/** Returns a page of the caller's inboxes, newest first, each with its unread threads and the time of its newest message. */
export async function summariseInboxes(ctx: Context, query: ListInboxes): Promise<Page<InboxSummary>> {
  const { rows, nextCursor } = await listInboxes(ctx, query);
  const notes = await readInboxNotes(
    ctx,
    rows.map(({ id }) => id),
  );
  const summaries = rows.map((row) => {
    const { unread = 0, last_message_at = null } = notes.get(row.id) ?? {};
    return {
      ...viewInbox(row),
      unread_threads: unread,
      last_message_at: last_message_at?.toISOString() ?? null,
    };
  });
  return { rows: summaries, nextCursor };
}

async function readInboxNotes(ctx: Context, inboxIds: string[]) {
  const threads = scoped(ctx).selectFrom('threads').where('inbox_id', '=', sql.ref<string>('inboxes.id'));
  const unread = threads.select('id').where(sql<boolean>`(unread_count > 0)`).limit(countedMax);
  const counted = acrossWorkspaces(ctx, 'its threads are those of the workspace')
    .selectFrom(unread.as('unread'))
    .select(sql<number>`count(*)::int`.as('unread'));
  const newest = threads
    .select('last_message_at')
    .orderBy('last_message_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
  if (inboxIds.length === 0) return new Map<string, never>();
  const rows = await scoped(ctx)
    .selectFrom('inboxes')
    .innerJoinLateral(counted.as('counted'), (on) => on.onTrue())
    .leftJoinLateral(newest.as('newest'), (on) => on.onTrue())
    .select(['inboxes.id', 'counted.unread', 'newest.last_message_at'])
    .where('inboxes.id', 'in', inboxIds)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
