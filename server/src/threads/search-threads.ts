import type { ListThreads } from '@postrider/contract';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { requireLabel } from '../messages/find-message.ts';
import { ofThreads } from '../messages/message-filters.ts';
import {
  type Condition,
  findSearchPage,
  type SearchHit,
  type SearchPage,
  type SearchRequest,
} from '../search/index.ts';
import type { LabelledThread } from './read-threads.ts';
import { labelsOfThreads } from './thread-labels.ts';

/** A thread with the message that matches best. */
export interface FoundThread extends LabelledThread {
  hit: SearchHit;
}

/** The filters that restrict a search to some threads. */
type Narrowed = Required<Pick<SearchRequest, 'few' | 'conditions'>>;

/** A query of the ids of threads. */
type Threads = SelectQueryBuilder<Tables, 'threads', { id: string }>;

/** Threads of one page. */
export interface FoundThreads extends SearchPage {
  threads: FoundThread[];
}

/**
 * Returns a page of the caller's threads with a message that matches, each once with its best message, best first.
 *
 * @throws ApiError as `searchMessages`.
 */
export async function searchThreads(
  ctx: Context,
  request: ListThreads & { query: string },
): Promise<FoundThreads> {
  const { query, mode, limit, cursor, inbox_id, label_id } = request;
  if (label_id !== undefined) await requireLabel(ctx, label_id);
  const filters = inbox_id === undefined ? {} : { inbox_id };
  const page = await findSearchPage(ctx, {
    query,
    mode,
    limit,
    cursor,
    filters,
    ...(await narrow(ctx, request)),
    isOfThreads: true,
  });
  const ids = page.hits.map(({ details }) => details.row.thread_id);
  const labels = await labelsOfThreads(ctx, ids);
  const rows =
    ids.length === 0
      ? []
      : await scoped(ctx).selectFrom('threads').selectAll().where('id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const last = page.hits.findLast(({ details }) => labels.has(details.row.thread_id));
  const threads = page.hits.flatMap((hit) => {
    const id = hit.details.row.thread_id;
    const [row, own] = [byId.get(id), labels.get(id)];
    return row && own ? [{ row, labels: own, hit }] : [];
  });
  const isWhole = labels.size === new Set(ids).size;
  return { ...page, threads, next: isWhole ? page.next : (last?.position ?? page.next) };
}

/** Up to this many threads are named one by one, so that a search of them does not look through all others. */
const namedMax = 2_000;

/** A thread has the labels of its messages, and is read if all of them are. */
async function narrow(ctx: Context, { inbox_id, label_id, read }: ListThreads): Promise<Narrowed> {
  const { workspaceId } = ctx;
  const narrowed: Narrowed = { few: [], conditions: [] };
  const add = async (threads: Threads, condition: Condition) => {
    const own = inbox_id === undefined ? threads : threads.where('inbox_id', '=', inbox_id);
    const rows = await own.limit(namedMax + 1).execute();
    if (rows.length > namedMax) narrowed.conditions.push(condition);
    else
      narrowed.few.push(
        ofThreads(
          ctx,
          rows.map(({ id }) => id),
        ),
      );
  };
  if (label_id !== undefined)
    await add(
      scoped(ctx)
        .selectFrom('thread_labels')
        .select('thread_id as id')
        .where('label_id', '=', label_id) as unknown as Threads,
      sql<boolean>`(select true from thread_labels l where l.workspace_id = ${workspaceId}
        and l.thread_id = messages.thread_id and l.label_id = ${label_id} limit 1)`,
    );
  if (read !== undefined)
    await add(
      threadsByRead(ctx, read) as unknown as Threads,
      sql<boolean>`(select (t.unread_count > 0) <> ${read} from threads t
        where t.workspace_id = ${workspaceId} and t.id = messages.thread_id limit 1)`,
    );
  return narrowed;
}

function threadsByRead(ctx: Context, read: boolean) {
  // Written exactly as in the index.
  const isUnread = sql<boolean>`(unread_count > 0)`;
  return scoped(ctx)
    .selectFrom('threads')
    .select('id')
    .where(read ? sql<boolean>`not ${isUnread}` : isUnread);
}
