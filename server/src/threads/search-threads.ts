import type { ListThreads } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { requireLabel } from '../messages/find-message.ts';
import type { Condition } from '../search/query/pass-filters.ts';
import type { SearchHit } from '../search/query/search-hit.ts';
import { findSearchPage, type SearchPage } from '../search/query/search-messages.ts';
import type { LabelledThread } from './read-threads.ts';
import { labelsOfThreads } from './thread-labels.ts';

/** A thread with the message that matches best. */
export interface FoundThread extends LabelledThread {
  hit: SearchHit;
}

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
  const { query, mode, limit, cursor, inbox_id, label_id, read } = request;
  if (label_id !== undefined) await requireLabel(ctx, label_id);
  const filters = inbox_id === undefined ? {} : { inbox_id };
  const conditions = conditionsOf(ctx, label_id, read);
  const page = await findSearchPage(ctx, {
    query,
    mode,
    limit,
    cursor,
    filters,
    conditions,
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

/** A thread has the labels of its messages, and is read if all of them are. */
function conditionsOf(
  { workspaceId }: Context,
  labelId: string | undefined,
  read: boolean | undefined,
): Condition[] {
  const conditions: Condition[] = [];
  if (labelId !== undefined)
    conditions.push(sql<boolean>`(select true from thread_labels l where l.workspace_id = ${workspaceId}
      and l.thread_id = messages.thread_id and l.label_id = ${labelId} limit 1)`);
  if (read !== undefined)
    conditions.push(sql<boolean>`(select (t.unread_count > 0) <> ${read} from threads t
      where t.workspace_id = ${workspaceId} and t.id = messages.thread_id limit 1)`);
  return conditions;
}
