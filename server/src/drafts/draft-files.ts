import type { AttachmentInput } from '@postrider/contract';
import { type Selectable, sql } from 'kysely';
import { listDraftFiles, listMessageFiles } from '../attachments/find-attachment.ts';
import type { Context } from '../context.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { acrossWorkspaces, type RowsContext, scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../lib/ids.ts';
import { type OutgoingAttachment, placeAttachment } from '../mail/compose/compose-attachment.ts';
import { checkAttachments, decodeAttachment } from '../outbound/read-request.ts';
import { type DraftDetails, type DraftRow, getDraft } from './find-draft.ts';

/**
 * Returns the files of a request, named and typed as they will be in the mail.
 *
 * @throws ApiError `attachment_too_large`.
 */
export function readFiles(inputs: AttachmentInput[] | undefined): OutgoingAttachment[] {
  checkAttachments(inputs);
  return (inputs ?? []).map((input) => {
    const file = decodeAttachment(input);
    const { filename, contentType } = placeAttachment(file, undefined);
    return { ...file, filename, contentType };
  });
}

/** Replaces the files of a draft, within the transaction of its change. */
export async function replaceFiles(
  tx: Context,
  draft: Pick<DraftRow, 'id' | 'inbox_id'>,
  files: OutgoingAttachment[],
): Promise<void> {
  await scoped(tx).deleteFrom('draft_files').where('draft_id', '=', draft.id).execute();
  if (files.length === 0) return;
  const rows = files.map(
    (file, position): Selectable<Tables['draft_files']> => ({
      workspace_id: tx.workspaceId,
      id: newId('att', tx.clock.now()),
      inbox_id: draft.inbox_id,
      draft_id: draft.id,
      position,
      filename: file.filename,
      content_type: file.contentType ?? '',
      size_bytes: file.content.length,
      content_id: file.contentId ?? null,
      inline: false,
      content: file.content,
    }),
  );
  await tx.db.insertInto('draft_files').values(rows).execute();
}

/** Records which files of a draft its HTML shows. Call it when either has changed, within the same transaction. */
export async function noteInline(tx: Context, draftId: string): Promise<void> {
  await scoped(tx)
    .updateTable('draft_files')
    .from('drafts')
    .set({ inline: sql<boolean>`coalesce(strpos(drafts.body_html, 'cid:' || content_id) > 0, false)` })
    .whereRef('drafts.workspace_id', '=', 'draft_files.workspace_id')
    .whereRef('drafts.id', '=', 'draft_files.draft_id')
    .where('draft_files.draft_id', '=', draftId)
    .where('content_id', 'is not', null)
    .execute();
}

/** Returns whether a draft has files. */
export async function hasFiles(ctx: RowsContext, draftId: string): Promise<boolean> {
  const row = await scoped(ctx)
    .selectFrom('draft_files')
    .select('id')
    .where('draft_id', '=', draftId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the files of a draft with their bytes, as they go into the mail. */
export async function loadFiles(ctx: RowsContext, draftId: string): Promise<OutgoingAttachment[]> {
  const rows = await scoped(ctx)
    .selectFrom('draft_files')
    .select(['filename', 'content_type', 'content_id', 'content'])
    .where('draft_id', '=', draftId)
    .orderBy('position')
    .execute();
  return rows.map((row) => ({
    filename: row.filename,
    contentType: row.content_type,
    contentId: row.content_id,
    content: Buffer.from(row.content),
  }));
}

type ReadContext = RowsContext;

/** Returns these drafts with the files that are shown: their own, or those of the message once they are sent. */
export async function withFiles(ctx: ReadContext, rows: DraftRow[]): Promise<DraftDetails[]> {
  const sent = rows.filter(isSent).flatMap((row) => row.message_id ?? []);
  const unsent = rows.filter((row) => !isSent(row)).map((row) => row.id);
  const ofMessages = await listMessageFiles(ctx, sent);
  const ofDrafts = await listDraftFiles(ctx, unsent);
  return rows.map((row) => ({
    row,
    files: isSent(row)
      ? ofMessages.filter((file) => file.message_id === row.message_id)
      : ofDrafts.filter((file) => file.draft_id === row.id),
  }));
}

/**
 * Returns the caller's draft with this id, with its files.
 *
 * @throws ApiError `not_found` as `getDraft`.
 */
export async function readDraft(ctx: ReadContext, id: string): Promise<DraftDetails> {
  const row = await getDraft(ctx, id);
  const [draft] = await withFiles(ctx, [row]);
  return draft ?? { row, files: [] };
}

function isSent(row: DraftRow): boolean {
  return row.status === 'sent';
}

/**
 * Removes the files of drafts that are sent for good, since their messages have them. A draft whose message may still be rejected for all
 * recipients keeps its files.
 */
export async function removeSentFiles(deps: Pick<Deps, 'db'>): Promise<void> {
  const db = acrossWorkspaces(deps, 'drafts are sent in all workspaces');
  const ofSent = db.selectFrom('draft_files').where(
    sql<boolean>`exists (select from drafts d
      join message_recipients r on r.workspace_id = d.workspace_id and r.message_id = d.message_id
      where d.workspace_id = draft_files.workspace_id and d.id = draft_files.draft_id
        and r.status not in ('queued', 'held', 'sending', 'deferred', 'rejected'))`,
  );
  await deleteInBatches(ofSent, db.deleteFrom('draft_files'));
}
