import { listDraftFiles } from '../attachments/draft-files.ts';
import { listMessageFiles } from '../attachments/find-attachment.ts';
import type { RowsContext } from '../db/scoped.ts';
import { type DraftDetails, type DraftRow, getDraft } from './find-draft.ts';

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
