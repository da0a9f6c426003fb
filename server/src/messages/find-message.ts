import type { SelectQueryBuilder } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { largeColumns, smallColumns } from './listed-messages.ts';
import type { MessageRow } from './store/message-record.ts';

type ReadContext = Pick<Context, 'db' | 'workspaceId'>;

/** A query of messages, before it is said what is selected of them. */
export type Messages = SelectQueryBuilder<Tables, 'messages', object>;

/** The caller's messages, without those of deleted inboxes and threads whose rows are still being removed. */
export const liveMessages = (ctx: ReadContext): Messages =>
  scoped(ctx)
    .selectFrom('messages')
    .where('messages.thread_id', 'not in', deletedThreads(ctx))
    .where('messages.inbox_id', 'not in', (of) =>
      of
        .selectFrom('inboxes')
        .select('inboxes.id')
        .where('inboxes.workspace_id', '=', ctx.workspaceId)
        .where('inboxes.deleted_at', 'is not', null),
    );

/** The threads whose messages are gone for everybody. */
export const deletedThreads = (ctx: ReadContext) =>
  scoped(ctx).selectFrom('deleted_threads').select('thread_id');

/** The caller's message with this id and all its own columns, as a query to select more by. */
export const wholeMessage = (ctx: ReadContext, id: string) =>
  scoped(ctx)
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

const selectMessage = prepared((db, { workspaceId, id }: { workspaceId: string; id: string }) =>
  wholeMessage({ db, workspaceId }, id).compile(),
);

/**
 * The caller's message with this id, which the request has in `param`.
 *
 * @throws ApiError `not_found` for an id that is malformed, unknown, of a deleted inbox or another workspace's.
 */
export const getMessage = async (
  ctx: ReadContext,
  id: string,
  param: string | null = 'id',
): Promise<MessageRow> => {
  if (!isId('msg', id)) throw notFound(param);
  const [row] = await selectMessage(ctx, { workspaceId: ctx.workspaceId, id });
  if (!row) throw notFound(param);
  return row as MessageRow;
};

/**
 * Checks that a label is the caller's.
 *
 * @throws ApiError `not_found`.
 */
export const requireLabel = async (ctx: ReadContext, id: string, param = 'label_id'): Promise<void> => {
  if (!isId('lbl', id)) throw notFound(param);
  const known = await scoped(ctx).selectFrom('labels').select('id').where('id', '=', id).executeTakeFirst();
  if (!known) throw notFound(param);
};
