import type { SelectQueryBuilder } from 'kysely';
import { prepared } from '../db/prepared.ts';
import { type OwnRows, ownRows, type RowsContext, scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
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

/** Returns a query of the caller's message with this id and all its own columns, to which more columns may be added. */
export function wholeMessage(ctx: ReadContext, id: string) {
  return scoped(ctx)
    .selectFrom('messages')
    .innerJoin('inboxes', (on) =>
      on
        .onRef('inboxes.workspace_id', '=', 'messages.workspace_id')
        .onRef('inboxes.id', '=', 'messages.inbox_id'),
    )
    .select(smallColumns)
    .select(largeColumns)
    .where('messages.id', '=', id)
    .where('messages.thread_id', 'not in', deletedThreads(ctx))
    .where('inboxes.deleted_at', 'is', null);
}

const selectMessage = prepared((db, { workspaceId, inboxIds, id }: OwnRows & { id: string }) =>
  wholeMessage({ db, workspaceId, scope: { inboxIds } }, id).compile(),
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
