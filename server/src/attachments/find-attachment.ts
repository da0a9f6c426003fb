import { type RowsContext, scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import type { AttachmentRow } from './attachment.view.ts';
import { type DraftFileRow, findDraftFile } from './draft-files.ts';

/** Returns the attachments of these messages of the caller, in their order. */
export async function listMessageFiles(ctx: RowsContext, messageIds: string[]): Promise<AttachmentRow[]> {
  return messageIds.length === 0
    ? []
    : scoped(ctx)
        .selectFrom('attachments')
        .selectAll()
        .where('message_id', 'in', messageIds)
        .orderBy('message_id')
        .orderBy('position')
        .execute();
}

/**
 * Returns the caller's attachment with this id, of a message or of a draft.
 *
 * @throws ApiError `not_found`, also for one of a deleted inbox.
 */
export async function getAttachment(
  ctx: RowsContext,
  id: string,
  param: string | null = 'id',
): Promise<AttachmentRow | DraftFileRow> {
  if (!isId('att', id)) throw notFound(param);
  const row = await scoped(ctx)
    .selectFrom('attachments')
    .innerJoin('inboxes', (on) =>
      on
        .onRef('inboxes.workspace_id', '=', 'attachments.workspace_id')
        .onRef('inboxes.id', '=', 'attachments.inbox_id'),
    )
    .selectAll('attachments')
    .where('attachments.id', '=', id)
    .where('inboxes.deleted_at', 'is', null)
    .where('attachments.message_id', 'not in', (of) =>
      of
        .selectFrom('messages')
        .innerJoin('deleted_threads', (on) =>
          on
            .onRef('deleted_threads.workspace_id', '=', 'messages.workspace_id')
            .onRef('deleted_threads.thread_id', '=', 'messages.thread_id'),
        )
        .select('messages.id')
        .where('messages.workspace_id', '=', ctx.workspaceId)
        .whereRef('messages.id', '=', 'attachments.message_id'),
    )
    .executeTakeFirst();
  const found = row ?? (await findDraftFile(ctx, id));
  if (!found) throw notFound(param);
  return found;
}
