import type { DraftStatus } from '@postrider/contract';
import { type Selectable, sql } from 'kysely';
import type { ShownFile } from '../attachments/attachment.view.ts';
import { type RowsContext, scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';

/** A draft as a row, with the status that follows from it and from its message. */
export type DraftRow = Selectable<Tables['drafts']> & { status: DraftStatus };

/** A draft with the files that are shown for it. */
export interface DraftDetails {
  row: DraftRow;
  files: ShownFile[];
}

type ReadContext = RowsContext;

/**
 * The status of a draft. A draft that became a message is being sent until each recipient was tried, also while people have not
 * approved it. It failed if the message was rejected
 * for all of them; then nothing went out.
 */
export const draftStatus = sql<DraftStatus>`case
  when drafts.message_id is not null then (select case
      when bool_or(r.status in ('queued', 'held', 'sending')) then 'sending'
      when bool_and(r.status = 'rejected') then 'failed'
      else 'sent' end
    from message_recipients r where r.workspace_id = drafts.workspace_id and r.message_id = drafts.message_id)
  when drafts.failure is not null then 'failed'
  when drafts.scheduled_at is not null then 'scheduled'
  else 'draft' end`;

/** Returns a query of the caller's drafts, without those of deleted inboxes whose rows are still being removed. */
export function liveDrafts(ctx: ReadContext) {
  return scoped(ctx)
    .selectFrom('drafts')
    .innerJoin('inboxes', (on) =>
      on
        .onRef('inboxes.workspace_id', '=', 'drafts.workspace_id')
        .onRef('inboxes.id', '=', 'drafts.inbox_id'),
    )
    .where('inboxes.deleted_at', 'is', null);
}

/** Returns the caller's draft with this id; null also for one of a deleted inbox. */
export async function findDraft(ctx: ReadContext, id: string): Promise<DraftRow | null> {
  const row = await liveDrafts(ctx)
    .selectAll('drafts')
    .select(draftStatus.as('status'))
    .where('drafts.id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Returns the caller's draft with this id.
 *
 * @throws ApiError `not_found` for an id that is malformed, unknown, of a deleted inbox or another workspace's.
 */
export async function getDraft(ctx: ReadContext, id: string): Promise<DraftRow> {
  const row = isId('dft', id) ? await findDraft(ctx, id) : null;
  if (!row) throw notFound('id');
  return row;
}

/**
 * Returns the caller's draft with this id, locked so that nothing else changes or sends it until the transaction ends.
 *
 * @throws ApiError `not_found` as `getDraft`.
 */
export async function lockDraft(tx: ReadContext, id: string): Promise<DraftRow> {
  if (!isId('dft', id)) throw notFound('id');
  await scoped(tx).selectFrom('drafts').select('id').where('id', '=', id).forUpdate().execute();
  // Only a statement that begins after the lock was taken sees a message that another transaction has just created from the draft.
  return getDraft(tx, id);
}
