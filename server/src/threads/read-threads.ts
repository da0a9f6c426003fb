import { type AppliedLabel, type ListThreads, limits } from '@postrider/contract';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces, inOrder, ofEach, scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { getInbox } from '../inboxes/find-inbox.ts';
import { decodeTimeCursor, encodeCursor, type Page, pageOf } from '../lib/cursor.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { getThread, liveMessages, requireLabel, type ThreadRow } from '../messages/find-message.ts';
import { fillLarge, selectListed } from '../messages/listed-messages.ts';
import { loadDetails, type MessageDetails } from '../messages/message-details.ts';
import { labelsOfThreads } from './thread-labels.ts';

/** A thread with its labels. */
export interface LabelledThread {
  row: ThreadRow;
  labels: AppliedLabel[];
}

/**
 * Returns a page of the caller's threads, last activity first. If both `label_id` and `read` are given, a page examines at most
 * `listCandidatesMax` threads, and then ends early with a cursor.
 *
 * @throws ApiError `not_found` if a filter names an inbox or label that is not the caller's.
 */
export async function listThreads(ctx: Context, query: ListThreads): Promise<Page<LabelledThread>> {
  if (query.inbox_id !== undefined) await getInbox(ctx, query.inbox_id, 'inbox_id');
  if (query.label_id !== undefined) await requireLabel(ctx, query.label_id);
  const { found, end } = await findThreads(ctx, query);
  const labels = await labelsOfThreads(
    ctx,
    found.map((row) => row.id),
  );
  const whole = found.filter((row) => labels.has(row.id));
  const page = pageOf(whole, whole.length < found.length ? whole.length - 1 : query.limit, cursorKeys);
  const rows = page.rows.map((row) => ({ row, labels: labels.get(row.id) ?? [] }));
  return { rows, nextCursor: page.nextCursor ?? (end && encodeCursor(cursorKeys(end))) };
}

/** A position in the list of threads. */
type Place = Pick<ThreadRow, 'id' | 'last_message_at'>;

/** Returns the threads of a page and one more, and the position where the search stopped early; null if it did not. */
async function findThreads(
  ctx: Context,
  query: ListThreads,
): Promise<{ found: ThreadRow[]; end: Place | null }> {
  const most = query.limit + 1;
  if (ctx.scope.inboxIds?.length === 0) return { found: [], end: null };
  if (query.label_id === undefined)
    return { found: await selectNewest(ctx, query, allThreads, most).execute(), end: null };
  if (query.read === undefined)
    return { found: await selectNewest(ctx, query, threadsOfLabel, most).execute(), end: null };
  return findInBoth(ctx, { ...query, label_id: query.label_id, read: query.read });
}

/** Returns the threads of a label that are read, or unread. Of the two orders it scans the one that usually has fewer threads. */
async function findInBoth(ctx: Context, query: ListThreads & { label_id: string; read: boolean }) {
  const { label_id, read, limit } = query;
  const places = (one: Context, wanted: ListThreads) =>
    (read ? threadsOfLabel(one, wanted) : allThreads(one, wanted))
      .clearSelect()
      .select(['threads.id', 'threads.last_message_at']);
  const order = selectNewest(ctx, query, places, limits.listCandidatesMax);
  const hasLabel = sql<boolean>`(select true from thread_labels l where l.workspace_id = threads.workspace_id
    and l.thread_id = threads.id and l.label_id = ${label_id} limit 1)`;
  const thread = scoped(ctx)
    .selectFrom('threads')
    .selectAll()
    .where('threads.id', '=', sql.ref<string>('candidate.id'))
    .where(read ? isRead : hasLabel);
  const found = await acrossWorkspaces(ctx, 'the ids are those of the workspace')
    .selectFrom(order.as('candidate'))
    .innerJoinLateral(thread.limit(1).as('thread'), (on) => on.onTrue())
    .selectAll('thread')
    .orderBy('candidate.last_message_at', 'desc')
    .orderBy('candidate.id', 'desc')
    .limit(limit + 1)
    .execute();
  if (found.length > limit) return { found, end: null };
  const last = order.offset(limits.listCandidatesMax - 1);
  return { found, end: (await last.executeTakeFirst()) ?? null };
}

/** Returns the position of a thread in lists. */
export function cursorKeys({ last_message_at, id }: Place): string[] {
  return [last_message_at.toISOString(), id];
}

/** Written exactly as in the index. */
const isRead = sql<boolean>`not (unread_count > 0)`;
const isUnread = sql<boolean>`(unread_count > 0)`;

/** A query of threads. */
type Threads<Row> = SelectQueryBuilder<Tables, never, Row>;

/** Returns the newest threads of a query that `select` writes, of each inbox that is wanted if these are several. */
function selectNewest<Row extends Place>(
  ctx: Context,
  query: ListThreads,
  select: (one: Context, query: ListThreads) => Threads<Row>,
  limit: number,
): Threads<Row> {
  const { one, of } = inOrder(ctx, query.inbox_id);
  const newest = select(one, query).limit(limit);
  if (of === null) return newest;
  const db = acrossWorkspaces(ctx, 'the threads are those of the workspace');
  return db
    .selectFrom(ofEach(ctx, of, newest).as('newest'))
    .selectAll('newest')
    .orderBy(sql`newest.last_message_at`, 'desc')
    .orderBy(sql`newest.id`, 'desc')
    .limit(limit) as unknown as Threads<Row>;
}

function allThreads(ctx: Context, { read, cursor }: Partial<ListThreads>) {
  let threads = scoped(ctx)
    .selectFrom('threads')
    .selectAll()
    .where('inbox_id', 'not in', deletedInboxes(ctx));
  if (read !== undefined) threads = threads.where(read ? isRead : isUnread);
  if (cursor) threads = threads.where(olderThan(cursor, 'threads.last_message_at', 'threads.id'));
  return threads.orderBy('last_message_at', 'desc').orderBy('id', 'desc');
}

function threadsOfLabel(ctx: Context, { label_id = '', cursor }: ListThreads) {
  let labels = scoped(ctx)
    .selectFrom('thread_labels')
    .innerJoin('threads', (on) =>
      on
        .onRef('threads.workspace_id', '=', 'thread_labels.workspace_id')
        .onRef('threads.id', '=', 'thread_labels.thread_id'),
    )
    .selectAll('threads')
    .where('label_id', '=', label_id)
    .where('thread_labels.inbox_id', 'not in', deletedInboxes(ctx));
  if (cursor)
    labels = labels.where(olderThan(cursor, 'thread_labels.last_message_at', 'thread_labels.thread_id'));
  return labels.orderBy('thread_labels.last_message_at', 'desc').orderBy('thread_labels.thread_id', 'desc');
}

/** Those out of scope are among them, so that the query is the same for every inbox that is read, and runs once. */
function deletedInboxes(ctx: Context) {
  return scoped({ ...ctx, scope: wholeWorkspace })
    .selectFrom('inboxes')
    .select('id')
    .where('deleted_at', 'is not', null);
}

/** Selects the rows after the last one of the previous page. The columns are those of the index that has the order. */
function olderThan(cursor: string, lastMessageAt: string, id: string) {
  const { at, key } = decodeTimeCursor(cursor);
  return sql<boolean>`(${sql.ref(lastMessageAt)}, ${sql.ref(id)}) < (${at}, ${key})`;
}

/** A thread with its newest messages, newest first, and whether older ones were left out. */
export interface ReadThread extends LabelledThread {
  newest: MessageDetails[];
  truncated: boolean;
}

/**
 * Returns the caller's thread with as many of its newest messages as a response holds.
 *
 * @throws ApiError `not_found`.
 */
export function readThread(ctx: Context, id: string): Promise<ReadThread> {
  return ctx.readLimiter.run(ctx.workspaceId, async () => {
    const row = await getThread(ctx, id);
    const found = await selectListed(
      liveMessages(ctx)
        .where('messages.thread_id', '=', row.id)
        .orderBy('messages.id', 'desc')
        .limit(limits.threadMessagesMax + 1),
    );
    const { rows, lastId } = await fillLarge(ctx, found.slice(0, limits.threadMessagesMax));
    const [labels, newest] = await Promise.all([labelsOfThreads(ctx, [row.id]), loadDetails(ctx, rows)]);
    const truncated = lastId !== null || found.length > limits.threadMessagesMax;
    return { row, labels: labels.get(row.id) ?? [], newest, truncated };
  });
}
