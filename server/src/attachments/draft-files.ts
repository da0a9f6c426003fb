import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { type RowsContext, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { type ByteRange, checkRange, type OpenedFile } from '../files/files.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import type { ShownFile } from './attachment.view.ts';

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
