import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { type RowsContext, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import type { ByteRange, OpenedFile } from '../files/files.ts';
import { checkRange } from '../files/files.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import type { AttachmentRow, ShownFile } from './attachment.view.ts';

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

/** A file of a draft without its bytes. */
export interface DraftFileRow extends ShownFile {
  draft_id: string;
}

type ReadContext = RowsContext;

/** Returns the files of these drafts in their order, without their bytes. */
export async function listDraftFiles(ctx: ReadContext, draftIds: string[]): Promise<DraftFileRow[]> {
  return draftIds.length === 0
    ? []
    : selectFiles(ctx).where('draft_id', 'in', draftIds).orderBy('draft_id').orderBy('position').execute();
}

/** Returns the caller's draft file with this id; null also for one of a deleted inbox. */
export async function findDraftFile(ctx: ReadContext, id: string): Promise<DraftFileRow | null> {
  return (await selectFiles(ctx).where('draft_files.id', '=', id).executeTakeFirst()) ?? null;
}

function selectFiles(ctx: ReadContext) {
  return scoped(ctx)
    .selectFrom('draft_files')
    .innerJoin('inboxes', (on) =>
      on
        .onRef('inboxes.workspace_id', '=', 'draft_files.workspace_id')
        .onRef('inboxes.id', '=', 'draft_files.inbox_id'),
    )
    .where('inboxes.deleted_at', 'is', null)
    .select([
      'draft_files.workspace_id',
      'draft_files.id',
      'draft_id',
      'filename',
      'size_bytes',
      'content_id',
      'inline',
    ])
    .select(sql<string>`split_part(content_type, ';', 1)`.as('mime_type'));
}

/** Opens a file of a draft or a range of it; null if it was removed. Rejects with a RangeError if the range starts beyond the end. */
export async function openDraftFile(
  deps: Pick<Deps, 'db'>,
  file: DraftFileRow,
  range?: ByteRange,
): Promise<OpenedFile | null> {
  if (range) checkRange(range, file.size_bytes);
  const { start, end } = range ?? { start: 0, end: file.size_bytes - 1 };
  const row = await scoped({ db: deps.db, workspaceId: file.workspace_id, scope: wholeWorkspace })
    .selectFrom('draft_files')
    .select(sql<Buffer>`substring(content from ${start + 1}::int for ${end - start + 1}::int)`.as('bytes'))
    .where('id', '=', file.id)
    .executeTakeFirst();
  if (!row) return null;
  const stream = Readable.from([Buffer.from(row.bytes)], { objectMode: false });
  return { stream, sizeBytes: file.size_bytes };
}

/** Thrown if the recorded size of an attachment was wrong. Its row has the right size by then. */
export class SizeCorrected extends Error {
  override name = 'SizeCorrected' as const;
}

/** Corrects the size of an attachment that an older version decoded differently when its mail arrived. The storage in use is adjusted. */
export function correctSize(
  ctx: Pick<Context, 'db' | 'workspaceId' | 'scope' | 'clock'>,
  { id, size_bytes: noted }: AttachmentRow,
  sizeBytes: number,
): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const [corrected] = await scoped(tx)
      .updateTable('attachments')
      .set({ size_bytes: sizeBytes })
      .where('id', '=', id)
      .where('size_bytes', '=', noted)
      .execute();
    if (!corrected?.numUpdatedRows) return;
    const change = scoped(tx)
      .selectFrom('attachments')
      .select(['workspace_id', sql.lit('storage_bytes').as('kind')])
      .select(sql<number>`${sizeBytes - noted}::bigint`.as('amount'))
      .select(sql<Date>`${tx.clock.now()}::timestamptz`.as('at'))
      .where('id', '=', id);
    await tx.db
      .insertInto('usage_ledger')
      .columns(['workspace_id', 'kind', 'amount', 'at'])
      .expression(change)
      .execute();
  });
}
