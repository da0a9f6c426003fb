import { type DraftStatus, type ListDrafts, limits } from '@postrider/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../context.ts';
import { getInbox } from '../inboxes/find-inbox.ts';
import { decodeCursor, type Page, pageOf } from '../lib/cursor.ts';
import { withFiles } from './draft-files.ts';
import { type DraftDetails, draftStatus, liveDrafts } from './find-draft.ts';

/** The bytes of a draft in a response apart from its bodies, and those of each file with its link. */
const bytesBeside = 4_096;
const bytesPerFile = 640;

/**
 * Returns a page of the caller's drafts, newest first. It ends early if the response would become too large, since bodies are shown whole.
 *
 * @throws ApiError `not_found` if the filter names an inbox that is not the caller's.
 */
export async function listDrafts(ctx: Context, query: ListDrafts): Promise<Page<DraftDetails>> {
  if (query.inbox_id !== undefined) await getInbox(ctx, query.inbox_id, 'inbox_id');
  const found = await selectPage(ctx, query)
    .select(['drafts.id', sql<number>`(${draftBytes})::int`.as('bytes')])
    .execute();
  const page = pageOf(found, countFitting(found, query.limit), (row) => [row.id]);
  const ids = page.rows.map((row) => row.id);
  if (ids.length === 0) return { rows: [], nextCursor: null };
  const rows = await selectPage(ctx, query)
    .selectAll('drafts')
    .select(draftStatus.as('status'))
    .where('drafts.id', 'in', ids)
    .execute();
  return { ...page, rows: await withFiles(ctx, rows) };
}

const draftBytes = sql`${sql.lit(bytesBeside)} + coalesce(octet_length(body_text), 0) + coalesce(octet_length(body_html), 0)
  + ${sql.lit(bytesPerFile)} * (case when drafts.message_id is null
    then (select count(*) from draft_files f where f.workspace_id = drafts.workspace_id and f.draft_id = drafts.id)
    else (select count(*) from attachments a where a.workspace_id = drafts.workspace_id and a.message_id = drafts.message_id) end)`;

function selectPage(ctx: Context, query: ListDrafts) {
  let drafts = liveDrafts(ctx);
  if (query.inbox_id !== undefined) drafts = drafts.where('drafts.inbox_id', '=', query.inbox_id);
  if (query.status !== undefined)
    drafts = drafts.where(draftStatus, '=', query.status).where(candidatesFor(ctx, query.status));
  if (query.cursor) drafts = drafts.where('drafts.id', '<', decodeCursor(query.cursor, 1)[0] ?? '');
  return drafts.orderBy('drafts.id', 'desc').limit(query.limit + 1);
}

/**
 * Returns a condition that an index can answer and that all drafts with a status meet, so that a search for few drafts does not read the
 * many others.
 */
function candidatesFor({ workspaceId }: Context, status: DraftStatus) {
  const ofMessages = (condition: RawBuilder<unknown>) => sql`
    select d.id from message_recipients r join drafts d on d.workspace_id = r.workspace_id and d.message_id = r.message_id
    where r.workspace_id = ${workspaceId} and ${condition}`;
  switch (status) {
    case 'draft':
    case 'scheduled':
      return sql<boolean>`drafts.message_id is null`;
    case 'sending':
      return sql<boolean>`drafts.id = any(array(
        ${ofMessages(sql`r.due_at is not null and r.status in ('queued', 'sending')`)}
        union all select d.id from approvals a join drafts d on d.workspace_id = a.workspace_id and d.message_id = a.message_id
          where a.workspace_id = ${workspaceId} and a.state = 'held'))`;
    case 'failed':
      return sql<boolean>`drafts.id = any(array(
        select id from drafts where workspace_id = ${workspaceId} and message_id is null and failure is not null
        union all ${ofMessages(sql`r.status = 'rejected'`)}))`;
    case 'sent':
      return sql<boolean>`drafts.message_id is not null`;
  }
}

/** Returns how many of the first drafts fit on one page: at least one, and no more text than a page holds. */
function countFitting(found: { bytes: number }[], limit: number): number {
  let bytes = 0;
  const fitting = found.findIndex((draft, index) => {
    bytes += draft.bytes;
    return index > 0 && bytes > limits.answerBytesMax;
  });
  return fitting < 0 ? limit : Math.min(fitting, limit);
}
