import type { Selectable } from 'kysely';
import { type RowsContext, scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';

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
